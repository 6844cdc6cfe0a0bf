/** Desktops that are paired, and the sealed callbacks that wait for them. */
export const first = `
CREATE TABLE mailbox (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  public_url TEXT,
  -- for how long this mailbox has run in all, by a clock that cannot jump: what the age of messages is counted in
  served_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO mailbox (id) VALUES (1);

CREATE TABLE codes (
  secret_hash BLOB PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE boxes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  public_key BLOB NOT NULL,
  access_key_hash BLOB NOT NULL,
  paired_at INTEGER NOT NULL,
  fetched_at INTEGER
) STRICT;

CREATE TABLE messages (
  -- never used again: an acknowledgement that comes late must not mean another message
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- null once the box is removed
  box_id TEXT REFERENCES boxes (id) ON DELETE SET NULL,
  received_at INTEGER NOT NULL,
  -- mailbox.served_ms when it came
  served_ms INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL DEFAULT 0,
  -- gone: acknowledged, expired or broken off; its bytes are deleted little by little
  state TEXT NOT NULL DEFAULT 'coming' CHECK (state IN ('coming', 'waiting', 'gone'))
) STRICT;
CREATE INDEX messages_of_box ON messages (box_id, state, id, size_bytes);
CREATE INDEX messages_by_age ON messages (served_ms) WHERE state = 'waiting';
CREATE INDEX messages_gone ON messages (id) WHERE state = 'gone';

-- A sealed message in the pieces in which it came: a large one never stands in memory.
CREATE TABLE pieces (
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (message_id, number)
) STRICT;
`
