/** SQLite's own default of 2 MB (sqlite.org/pragma.html#pragma_cache_size); better-sqlite3's is 16 MB for each connection. */
export const smallCache = 'cache_size = -2000'
