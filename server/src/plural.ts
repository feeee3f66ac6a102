/** `1 row`, `2 rows`: the number with the word that agrees with it. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
