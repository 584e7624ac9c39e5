import { expect, test } from 'vitest'
import { detectNameEncoding, detectTextEncoding } from './detect-encoding.ts'

/** Encodes a text in an encoding that has one byte for each character. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  )
  return Uint8Array.from(text, (character) => {
    const byte = bytes.get(character)
    if (byte === undefined) throw new Error(`${encoding} has no ${character}`)
    return byte
  })
}

test.each([
  ['windows-1252', 'Cœur et sœurs.txt'],
  ['windows-1252', 'Œuvres complètes.pdf'],
  ['windows-1252', 'Les bœufs.jpg'],
  ['windows-1252', 'Un coup d’œil.txt'],
  ['windows-1252', 'Août.pdf'],
  ['windows-1252', 'Les coûts.ods'],
  ['windows-1252', 'Où aller.txt'],
  ['windows-1250', 'Światło i śnieg.txt'],
  ['windows-1250', 'Wieś.jpg'],
  ['windows-1250', 'Gyűjtemény.pdf'],
  ['windows-1250', 'Fűszer.txt'],
  ['windows-1250', 'Dům.txt'],
  ['windows-1250', 'Mapa Ústí nad Labem – přehled dílů.ods'],
])('a name in %s is recognized: %s', (encoding, name) => {
  expect(detectNameEncoding([encoded(name, encoding)])).toBe(encoding)
})

test.each([
  ['windows-1251', 'Привіт, як твої справи сьогодні? Їжа'],
  ['koi8-u', 'Привіт, як твої справи сьогодні? Їжа'],
  ['koi8-r', 'Здравствуйте, как вы поживаете сегодня?'],
  ['iso-8859-5', 'Здравствуйте, как вы поживаете сегодня?'],
  ['windows-1252', 'Le cœur de l’œuvre coûte cent francs à Noël'],
])('a text in %s is recognized: %s', (encoding, text) => {
  const recognized = detectTextEncoding(encoded(text, encoding))
  expect(new TextDecoder(recognized).decode(encoded(text, encoding))).toBe(text)
})

test('a long line that is cut inside of a character is recognized', () => {
  /** “私は猫である。” in Shift JIS, whose characters have two bytes each. */
  const sentence = Buffer.from('8e8482cd944c82c582a082e98142', 'hex')
  const line = Buffer.concat([Buffer.from('x'), ...Array.from({ length: 5000 }, () => sentence)])
  for (const cut of [0, 1]) expect(detectTextEncoding(line.subarray(0, line.length - cut))).toBe('shift_jis')
})
