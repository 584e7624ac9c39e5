import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ArchiveMembers } from '../../shared/contract/archives.ts'
import { limits } from '../../shared/domain/limits.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { endOfTar, paxHeader, tarMembers, type TarMember } from '../../../test/kit/tar.ts'

/** Makes a tar file with a thousand files at a time, because gzip is fast for headers that are almost the same. */
function makeFiles(count: number): Buffer {
  const parts = Array.from({ length: Math.ceil(count / 1000) }, (_, part) => {
    const length = Math.min(1000, count - part * 1000)
    const files = Array.from({ length }, (_, index) => ({ name: `f${part * 1000 + index}` }))
    return gzipSync(tarMembers(...files), { level: 1 })
  })
  return Buffer.concat(parts)
}

/** Writes a tar file with the same member again and again. A thousand members are compressed once, as a part of the gzip file. */
function writeRepeated(app: Pick<TestApp, 'disk'>, count: number, member: TarMember): void {
  const block = tarMembers(member)
  const repeated = (times: number) => gzipSync(Buffer.concat(Array.from({ length: times }, () => block)))
  const thousand = repeated(1000)
  const parts = Array.from({ length: Math.floor(count / 1000) }, () => thousand)
  writeFileSync(`${app.disk}/many.tar.gz`, Buffer.concat([...parts, repeated(count % 1000)]))
}

/** The largest archive that is listed as a whole. It is made once. */
const listedFiles = makeFiles(limits.listedArchiveMembers)
const oneMoreFile = gzipSync(tarMembers({ name: 'one more' }))

test.each([
  [limits.listedArchiveMembers, false, [listedFiles]],
  [limits.listedArchiveMembers + 1, true, [listedFiles, oneMoreFile]],
])('the list of an archive with %i members is truncated: %s', async (_count, isTruncated, parts) => {
  const app = await startApp({ files: {} })
  writeFileSync(`${app.disk}/many.tar.gz`, Buffer.concat(parts))
  const list = (await (await app.call('archives.list', { path: '/many.tar.gz' })).json()) as ArchiveMembers
  expect([list.members.length, list.isTruncated]).toEqual([limits.listedArchiveMembers, isTruncated])
})

test('an archive with more than 500,000 members is neither listed nor extracted, and labels count as members', async () => {
  const app = await startApp({ files: {} })
  // Labels are not listed or extracted, so that only their number costs time.
  writeRepeated(app, limits.archiveMembers + 1, { name: 'f', type: 'V' })
  const [list, extraction] = await Promise.all([
    app.call('archives.list', { path: '/many.tar.gz' }),
    app.call('archives.extract', { path: '/many.tar.gz' }),
  ])
  expect(list.headers.get('x-error')).toBe('too-large')
  const lines = await extraction.text()
  expect(lines.trimEnd().split('\n').at(-1)).toContain('"error":"too-large"')
  // Half a million headers are read twice, which takes longer than other tests may on a busy machine.
}, 240_000)

const pathOfLength = (length: number): string =>
  `${'n'.repeat(99)}/`
    .repeat(40)
    .slice(0, length - 1)
    .padEnd(length, 'x')

/** Writes a tar file whose paths have this number of characters altogether. Most of them are 4000 characters long. */
function writeLongPaths(app: Pick<TestApp, 'disk'>, characters: number): void {
  const whole = Math.floor(characters / 4000) - 1
  const rest = characters - whole * 4000
  const lengths = [...Array.from({ length: whole }, () => 4000), Math.floor(rest / 2), Math.ceil(rest / 2)]
  const members = lengths.map((length, index) =>
    tarMembers(paxHeader(['path', `${index}`.padStart(6, '0') + pathOfLength(length).slice(6)]), {
      name: 'x',
    }),
  )
  writeFileSync(`${app.disk}/long.tar`, Buffer.concat([...members, endOfTar]))
}

test.each([
  [limits.listedArchivePathCharacters, false],
  [limits.listedArchivePathCharacters + 1, true],
])('paths of %i characters are listed, and one more is not: %s', async (characters, isTruncated) => {
  const app = await startApp({ files: {} })
  writeLongPaths(app, characters)
  const list = (await (await app.call('archives.list', { path: '/long.tar' })).json()) as ArchiveMembers
  expect([list.isTruncated, list.hidden]).toEqual([isTruncated, 0])
})

test('an archive whose paths are longer altogether is not extracted', async () => {
  const app = await startApp({ files: {} })
  writeLongPaths(app, limits.archivePathCharacters + 4000)
  const lines = await (await app.call('archives.extract', { path: '/long.tar' })).text()
  expect(lines.trimEnd().split('\n').at(-1)).toContain('"error":"too-large"')
})

test('four archives are read at the same time for a user, and the fifth waits', async () => {
  const app = await startApp({ files: {} })
  const program = `import zipfile; z=zipfile.ZipFile('a.zip','w'); z.writestr('big.bin', b'x'*100000000)`
  execFileSync('python3', ['-c', program], { cwd: app.disk })
  const leave = new AbortController()
  const held = Array.from({ length: limits.concurrentArchiveReads }, () =>
    app.fetch('/api/archive-member/a.zip?member=big.bin', { signal: leave.signal }),
  )
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  let isListed = false
  const fifth = app.call('archives.list', { path: '/a.zip' }).then(({ status }) => {
    isListed = true
    return status
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isListed).toBe(false)
  leave.abort()
  expect(await fifth).toBe(200)
})
