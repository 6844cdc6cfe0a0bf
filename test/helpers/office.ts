/** LibreOffice as Debian's packages install it. */
export const officeProgram = '/usr/bin/soffice'
