import { expect, test } from 'vitest'
import { archiveNameOf } from './archive-names.ts'

test.each([
  ['a.zip', 'a', '.zip'],
  ['a(1).zip', 'a(1)', '.zip'],
  ['a.tar.GZ', 'a', '.tar.gz'],
  ['a.tar(1).gz', 'a(1)', '.tar.gz'],
  ['a.b.tar(12).zst', 'a.b(12)', '.tar.zst'],
  ['a.tgz', 'a', '.tgz'],
])('%s is an archive', (name, stem, extension) => {
  expect(archiveNameOf(name)).toEqual({ stem, extension })
})

test.each(['a.gz', '.zip', 'a.tar(x).gz', 'a.txt', '.tar.gz', '(1).bashrc'])('%s is no archive', (name) => {
  expect(archiveNameOf(name)).toBeNull()
})
