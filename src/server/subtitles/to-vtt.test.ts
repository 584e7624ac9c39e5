import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { vttOfAss, vttOfSrt } from './to-vtt.ts'

test('SubRip is converted to WebVTT with times, line breaks and simple tags (contract 8.3)', () => {
  const srt =
    '\ufeff1\r\n00:00:01,500 --> 00:00:03,000\r\nHello<br>you <i>there</i>\r\n\r\n' +
    '2\r\n01:02:03,4 --> 01:02:05,067 X1:40\r\n<font color="red">a < b & c --> d</font>\r\n'
  expect(vttOfSrt(srt)).toBe(
    'WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nHello\nyou <i>there</i>\n\n' +
      '01:02:03.400 --> 01:02:05.067\na &lt; b &amp; c --&gt; d\n',
  )
})

test('SubStation Alpha is converted to WebVTT with texts and times in order (contract 8.3)', () => {
  const ass =
    '[Script Info]\nTitle: x\n[Events]\nFormat: Layer, Start, End, Style, Text\n' +
    'Dialogue: 0,0:00:05.00,0:00:06.50,Default,{\\an8}Later, with a comma\\Nand <more>\n' +
    'Dialogue: 0,0:00:01.00,0:00:02.00,Default,First\\hone\n' +
    'Dialogue: 0,0:00:01.00,0:00:02.00,Default,{\\p1}m 0 0 l 100 0{\\p0}\n' +
    'Comment: 0,0:00:01.00,0:00:02.00,Default,nothing\n'
  expect(vttOfAss(ass)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nFirst\u00a0one\n\n' +
      '00:00:05.000 --> 00:00:06.500\nLater, with a comma\nand &lt;more&gt;\n',
  )
})

test.each([
  ['braces that never end', '{'],
  ['braces in braces', '{{}'],
  ['drawings that are none', '{\\p'],
  ['commas', ','],
  ['lines', '\nDialogue: 0:00:01.00,0:00:02.00,a'],
  ['formats', ',a\nFormat: Start, End, Text'],
])('two megabytes of %s are parsed in linear time', (_case, text) => {
  const start = '[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,'
  expect(vttOfAss(start + text.repeat(2_000_000 / text.length))).toContain('00:00:01.000 --> 00:00:02.000')
})

test.each(['', 'no subtitle', '1\n00:00:01 -> 00:00:02\nx', 'Dialogue: 0,0:00:01.00,0:00:02.00,x,y'])(
  'the text %j has no cue',
  (text) => {
    expect([vttOfSrt(text), vttOfAss(text)]).toEqual([null, null])
  },
)

const unusualParts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r',
        '1\n',
        '00:00:01,000 --> 00:00:02,000\n',
        '-->',
        '<',
        '<b>',
        '</i>',
        '&',
      ),
      fc.constantFrom(
        'Format: Start, End, Text\n',
        'Dialogue: 0:00:01.00,0:00:02.00,',
        '{\\p1',
        '}',
        '\\N',
        ',',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

/**
 * Returns true for WebVTT that browsers accept: every block begins with one line of times, and there are no tags except
 * those for bold, italic and underlined text.
 */
function isValidVtt(vtt: string): boolean {
  const [head, ...blocks] = vtt.trimEnd().split('\n\n')
  return (
    head === 'WEBVTT' &&
    blocks.length > 0 &&
    blocks.every((block) => {
      const [times = '', ...lines] = block.split('\n')
      return (
        /^\d{2,}:\d\d:\d\d\.\d{3} --> \d{2,}:\d\d:\d\d\.\d{3}$/.test(times) &&
        lines.every((line) => !line.includes('-->') && !/<(?!\/?[biu]>)/.test(line))
      )
    })
  )
}

test('every conversion returns valid WebVTT without other tags, or null', () => {
  fc.assert(
    fc.property(unusualParts, (text) => {
      for (const vtt of [vttOfSrt(text), vttOfAss(text)]) expect(vtt === null || isValidVtt(vtt)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
