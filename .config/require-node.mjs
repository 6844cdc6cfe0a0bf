// Says plainly which Node is needed, before something crashes for the lack of it.
if (Number(process.versions.napi) < 10) {
  process.stderr.write(
    `Sheaf needs Node 22.14 or newer; this is ${process.version}. Install it from nodejs.org and run the command again.\n`,
  )
  process.exit(1)
}
