import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * File names that often cause errors: names that look encoded, names with characters that URLs and shells interpret,
 * long names, and names with invisible characters.
 */
export const tortureNames: readonly string[] = [
  '100%.txt',
  'a%2Fb.txt',
  '#?&+',
  '#1 ?x.txt',
  '[x]',
  'a;b+c.txt',
  '..hidden',
  ' leading and trailing ',
  'cafe\u0301.txt',
  'café.txt',
  '\u202Egpj.exe',
  'line\nbreak.txt',
  'quote\'"`$(x).txt',
  'back\\slash.txt',
  '-rf',
  'constructor',
  '__proto__',
  `${'😀'.repeat(62)}.ending`,
]

/** A file name that is not valid UTF-8 (`ö` in Latin-1). Linux accepts invalid names, and macOS refuses them. */
export const invalidName = Buffer.from([0x46, 0xf6, 0x6e, 0x2e, 0x74, 0x78, 0x74])

/** Creates a file for each name. Returns the number of names that the system accepted. */
export async function makeTortureNames(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const names = [...tortureNames.map((name) => Buffer.from(name)), invalidName]
  const creations = names.map((name) =>
    writeFile(Buffer.concat([Buffer.from(folder + path.sep), name]), 'x').then(
      () => 1,
      () => 0,
    ),
  )
  return (await Promise.all(creations)).reduce<number>((sum, created) => sum + created, 0)
}
