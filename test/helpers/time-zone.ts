/** Where the window's tests are: their browser and their hosts alike, as on one computer. */
export const timeZone = 'Europe/Berlin'
