/** Words that say in six languages that something does not belong to what is asked for, as alternatives of a pattern. */
export const without = [
  String.raw`exclu\w*|excl|without|except|(?:no|not|don['’]t) includ\w*|skip|omit`,
  String.raw`ohne|keine|außer|exkl\w*|sans|sauf|hors|sin|excepto|senza|esclus\w*|zonder|behalve`,
].join('|')
