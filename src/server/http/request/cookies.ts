/**
 * Returns the values of all cookies with this name, in the order in which they were sent and without quotation marks.
 */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
}
