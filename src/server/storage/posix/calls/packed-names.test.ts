import { expect, test } from 'vitest'
import { unpackNames } from './packed-names.ts'

const packed = (...names: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    names.flatMap((name) => [
      typeof name === 'string' ? Buffer.from(name) : Buffer.from(name),
      Buffer.from([0]),
    ]),
  )

test.each([
  ['none', packed(), []],
  ['one', packed('a'), ['a']],
  ['text', packed('a b', 'é\n', '😀'), ['a b', 'é\n', '😀']],
  ['bytes that are not UTF-8', packed('a', [0x66, 0xff], 'é'), ['a', 'f\udcff', 'é']],
  ['the replacement character', packed('\ufffd', 'b'), ['\ufffd', 'b']],
  ['a byte order mark', packed('\ufeffa', 'b'), ['\ufeffa', 'b']],
])('names are unpacked: %s', (_case, bytes, names) => {
  expect(unpackNames(bytes)).toEqual(names)
})
