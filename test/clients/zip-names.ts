/** Returns the names in the central directory of a zip, sorted by their bytes. */
export function zipNames(zip: Buffer): string[] {
  const names: string[] = []
  const mark = Buffer.from('PK\x01\x02', 'latin1')
  for (let at = zip.indexOf(mark); at >= 0; at = zip.indexOf(mark, at + 46)) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  }
  return names.toSorted()
}
