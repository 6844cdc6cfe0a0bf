/** What a window in a browser speaks over its WebSocket. It offers the session's secret after it, as a second one. */
export const socketProtocol = 'sheaf'
