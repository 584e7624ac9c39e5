/** Returns the values of all cookies of a name in the order they were sent, without quotes around them. */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
}
