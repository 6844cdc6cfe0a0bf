const listing = 'With --json it prints JSON for programs.'

/** What `sheaf COMMAND --help` says: the forms of the command, and what its words mean. */
const texts: Record<string, string> = {
  extract: `sheaf extract PATH... --schema FILE.json [--schema FILE.json ...] [--cut] [--agent REF]
              [--mode auto|sync|async] [--out FILE.csv|.xlsx|.json] [--json | --flagged] [--resend] [--resume]
              [--concurrency N]

Extracts files and folders. Run again, it goes on where it stopped: what is done stays done, and what may already be
billed is not sent again.

  --schema FILE.json   what to extract: a JSON array of {"name", "format": text|number|boolean|list, "description", "items"};
                       a text may have a "kind": date|iban|currency|vat_id|email|code|document_type;
                       of several files each document is asked by the one that fits, and is skipped where that is not sure
  --cut                cuts files that hold several documents, where it is sure how
  --agent REF          the reference of an Extractor, an agent that has its own fields (see: sheaf agents --help)
  --mode               sync waits for each answer, async takes it by callback, auto chooses by size
  --out FILE           the spreadsheet to write, lists on sheets of their own, or in FILE-<list>.csv; with several
                       schemas a file for each, FILE-<schema>;
                       without it the values are printed
  --json               one line of JSON for each file, with the flags of its values
  --flagged            prints only the values that need a look, and why
  --resend             sends files again whose answer was lost, or that were cancelled on their way; they may be billed twice
  --resume             goes on after the database was restored, when you have looked at what was sent since
  --concurrency N      how many files at once, 1 to 64
`,
  watch: `sheaf watch FOLDER --schema FILE.json [--schema FILE.json ...] [--cut] --out FILE.csv|.xlsx [--once]
            [--agent REF] [--mode …] [--resume] [--concurrency N]

Extracts what is and what comes in a folder and keeps the spreadsheet up to date, until Ctrl-C.

  --once               ends when everything that is there is done
  the others           as in: sheaf extract --help
`,
  serve: `sheaf serve [--port N]

The app in a browser, until Ctrl-C. Prints READY and the address that opens it.

  --port N             the port on this computer; 0 or none for that of before, where it is free
`,
  service: `sheaf service [--port N] [--allow-private-callbacks] [--stream-limit SECONDS] [--silence-limit SECONDS]

Only the platform API on this computer, until Ctrl-C. Prints READY, its address and the path of service.json, where
address, client id and secret stand.

  --port N                    the port on this computer; 0 or none for any free one
  --allow-private-callbacks   results of asynchronous extractions may be sent to this computer and its network
  --stream-limit SECONDS      how long one answer of a model may take
  --silence-limit SECONDS     how long a model may be silent between two words of an answer
`,
  agents: `sheaf agents list | documents REF
sheaf agents add NAME --kind documentalist|extractor [--schema FILE.json] [--reference REF]
                 [--visibility private|organization|public] [--organization ID]
sheaf agents add-documents REF PATH...
sheaf agents remove REF [--yes] | remove-document REF ID

The agents of the service on this computer, running or not. ${listing}

  Documentalist        an agent that answers questions from the documents it was given, and says where it stands
  Extractor            an agent that has the fields which it extracts: --schema FILE.json
  REF                  the reference by which an agent is called; made up when --reference is not given
  --visibility         who may use the agent over the API. private: nobody (an Extractor: its organization);
                       organization: its organization (this is so when nothing is said); public: every organization
  --organization ID    to which organization it belongs; that of this computer when nothing is said
  add-documents        copies files and folders to a Documentalist and waits until they are read
  --yes                removes without asking
`,
  access: `sheaf access list
sheaf access add-organization NAME | set-organization ID [--api yes|no] [--subscribed yes|no] [--quota TOKENS|none]
                 [--cap EUROS|none] [--price EUROS] [--name NAME]
sheaf access add-account NAME --organization ID | set-account ID [--active yes|no] [--administrator yes|no] [--name NAME]
sheaf access add-client ACCOUNT [--name NAME] | remove-client CLIENT_ID [--yes]

Who may use the service on this computer, running or not. IDs stand in the first column of the list. ${listing}

  organization         whose agents and whose use it is; has accounts
  account              somebody of an organization; only an active administrator gets access
  client               a client id and a secret, with which a program asks for a token in the name of an account
  --api                whether the organization may use the API at all
  --subscribed         whether it has a subscription; without one its requests are refused
  --quota TOKENS       tokens that the subscription includes in a calendar month, digits only: 1000000. none: no limit
  --cap EUROS          what tokens over the quota (overage) may cost in a month: 12 or 12.50. none: no limit
  --price EUROS        what a million tokens over the quota costs: 2 or 2.50
  --yes                removes without asking
`,
  models: `sheaf models show | clear
sheaf models set --url URL [--large MODEL|none] [--small MODEL|none] [--key-from-stdin]

The server with the language models behind the names svc-large and svc-small of the API. ${listing}

  --url URL            an OpenAI-compatible server, such as http://127.0.0.1:11434/v1
  --large, --small     its models behind svc-large and svc-small; without any it says which there are
  --key-from-stdin     reads the server's key from stdin; SHEAF_MODEL_KEY is another way
  clear                forgets server, models and key
`,
  deliveries: `sheaf deliveries list | retry ID | remove ID [--yes]

Results of asynchronous extractions that no callback has taken, and those that are still being extracted. ${listing}

  ID                   the extract_id, the first column of the list
  given up             tried for a day, or not allowed; tried again at the next start of the service or by retry
  retry                tries at once
  remove               forgets the result; --yes without asking
`,
  policies: `sheaf policies [--json]

What an administrator has set for Sheaf on this computer, where, and what of that was not understood.
docs/administration.md has all policies. ${listing} Exit code 1: something was not understood.
`,
  mailbox: `sheaf mailbox [--port N] [--host HOST] [--data-dir DIR] --public-url URL
sheaf mailbox code | list | remove BOX [--yes]     (each with --data-dir DIR)

A small server for an office server or a rented machine, until Ctrl-C. It takes results for desktops that the service
cannot reach, keeps them encrypted, and hands them out when the desktop asks. docs/callbacks.md tells how to set it up.

  --public-url URL     how it is reached from outside, such as https://mailbox.example.com; remembered
  --port N             the port on this computer, to which the proxy leads; 8025 when nothing is said
  --host HOST          the network address to listen on; 127.0.0.1 when nothing is said
  --data-dir DIR       its own folder; mailbox in Sheaf's folder for data when nothing is said
  code                 a pairing code for one desktop, valid once and for a day (the server may run meanwhile)
  list                 the paired desktops, and how much waits for them; ${listing.charAt(0).toLowerCase()}${listing.slice(1, -1)}
  remove BOX           ends a pairing and deletes what waits; --yes without asking
`,
}

/** The help of one command; null where there is none of that name. */
export function helpOf(command: string | undefined): string | null {
  return command !== undefined && Object.hasOwn(texts, command) ? texts[command]! : null
}
