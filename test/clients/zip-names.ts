/** Returns the names in the central directory of a zip, sorted by their bytes. */
export function zipNames(zip: Buffer): string[] {
  const names: string[] = []
  const signature = Buffer.from('PK\x01\x02', 'latin1')
  for (let offset = zip.indexOf(signature); offset >= 0; offset = zip.indexOf(signature, offset + 46)) {
    names.push(zip.toString('utf8', offset + 46, offset + 46 + zip.readUInt16LE(offset + 28)))
  }
  return names.toSorted()
}
