/** The element of the list of findings, to which the figures above it lead. */
export const ROWS_ID = 'rows'
