/** SQL that formats a timestamp as `YYYY-MM-DDTHH:MM:SS.sssZ`, the format of all times in responses. */
export const renderUtc = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
