/** A header that holds plain decimal digits below 2^53; null for anything else, a missing one too (contract 4). */
export function plainNumber(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9]{1,16}$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}
