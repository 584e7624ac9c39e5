import { formatters } from './locale.ts'

/**
 * The formats of Icelandic for browsers that do not know the language, such as those made from Chromium. The rules and
 * words are those of the Unicode CLDR 48 (`common/main/is.xml`, `common/supplemental/plurals.xml`).
 */

/** Returns true for 1, 21, 101, but not for 11: these numbers go with a singular noun. */
const isSingular = (count: number): boolean => count % 10 === 1 && count % 100 !== 11

const number = new Intl.NumberFormat('de')

/** The words of each unit after `fyrir` (ago) and `eftir` (in): singular and plural. */
const distances: Readonly<
  Record<string, readonly [ago: readonly [string, string], ahead: readonly [string, string]]>
> = {
  year: [
    ['ári', 'árum'],
    ['ár', 'ár'],
  ],
  month: [
    ['mánuði', 'mánuðum'],
    ['mánuð', 'mánuði'],
  ],
  day: [
    ['degi', 'dögum'],
    ['dag', 'daga'],
  ],
  hour: [
    ['klukkustund', 'klukkustundum'],
    ['klukkustund', 'klukkustundir'],
  ],
  minute: [
    ['mínútu', 'mínútum'],
    ['mínútu', 'mínútur'],
  ],
}

/** Times that have a word of their own, by unit and distance. */
const ownWords: Readonly<Record<string, string>> = {
  '0 second': 'núna',
  '-2 day': 'í fyrradag',
  '-1 day': 'í gær',
  '1 day': 'á morgun',
  '2 day': 'eftir tvo daga',
  '-1 month': 'í síðasta mánuði',
  '1 month': 'í næsta mánuði',
  '-1 year': 'á síðasta ári',
  '1 year': 'á næsta ári',
}

function formatDistance(distance: number, unit: string): string {
  const own = ownWords[`${distance} ${unit}`]
  if (own !== undefined) return own
  const [ago, ahead] = distances[unit] ?? [
    ['', ''],
    ['', ''],
  ]
  const count = Math.abs(distance)
  const words = distance < 0 ? ago : ahead
  return `${distance < 0 ? 'fyrir' : 'eftir'} ${number.format(count)} ${isSingular(count) ? words[0] : words[1]}`
}

const lengths: Readonly<Record<string, readonly [string, string]>> = {
  hour: ['klukkustund', 'klukkustundir'],
  minute: ['mínúta', 'mínútur'],
  second: ['sekúnda', 'sekúndur'],
}

const joined = (texts: readonly string[], last: string): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')}${last}${texts.at(-1)}`

const months = 'janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember'.split(' ')

const formats: Readonly<Record<string, unknown>> = {
  month: {
    format: (timeMs: number) =>
      `${months[new Date(timeMs).getMonth()] ?? ''} ${new Date(timeMs).getFullYear()}`,
  },
  plural: { select: (count: number) => (isSingular(count) ? 'one' : 'other') },
  relative: { format: formatDistance },
  date: new Intl.DateTimeFormat('de', {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }),
  percent: { format: (fraction: number) => `${number.format(fraction * 100)}%` },
  times: { format: (texts: readonly string[]) => joined(texts, ' og ') },
  kinds: { format: (texts: readonly string[]) => joined(texts, ' eða ') },
  ...Object.fromEntries(
    Object.entries(lengths).map(([unit, [one, other]]) => [
      `long ${unit}`,
      { format: (count: number) => `${number.format(count)} ${isSingular(count) ? one : other}` },
    ]),
  ),
}

for (const [purpose, format] of Object.entries(formats)) formatters.set(`is ${purpose}`, format)
