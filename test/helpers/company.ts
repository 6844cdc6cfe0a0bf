/**
 * A certificate of a company's own making, and its key, which protects nothing: for platform.test and proxy.test. Who
 * trusts the company trusts a server that shows it.
 */
export const companyCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZhE1bnSqjjW3E89u
5hATgJH+fOmE9dy6vpN8/oZe6c6hRANCAAQlUTfrU+eY8Dg/hHck9fk/N7r/M6yN
X3gLm5gVLj83MPIfsMMQEIuWnJyUzz1xovdr8pNGCu26go9OBN1J5WJs
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBsjCCAVegAwIBAgIUInRzcK3YQrpR/A+cVVfW1GHkDA8wCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPRXhhbXBsZSBDb21wYW55MCAXDTI2MTEyNjEwMTUzOFoYDzIx
MjYxMTAyMTAxNTM4WjAaMRgwFgYDVQQDDA9FeGFtcGxlIENvbXBhbnkwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQlUTfrU+eY8Dg/hHck9fk/N7r/M6yNX3gLm5gV
Lj83MPIfsMMQEIuWnJyUzz1xovdr8pNGCu26go9OBN1J5WJso3kwdzAdBgNVHQ4E
FgQUmBZ/GuoXWtRvaHXvM7sgtZuPgFcwHwYDVR0jBBgwFoAUmBZ/GuoXWtRvaHXv
M7sgtZuPgFcwJAYDVR0RBB0wG4INcGxhdGZvcm0udGVzdIIKcHJveHkudGVzdDAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCKUC021N9zI5E0LH+Z
qXCaFwMeTyZBKzmpoK3sz2KyMQIhAOSzEg+Icoyx87JcIzFKNlPgmRCPky5co3t7
YSpr9mv5
-----END CERTIFICATE-----`,
}
