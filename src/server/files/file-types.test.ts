import { truncate } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { share, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import type { FileResource, FolderResource, ListingRow } from '../../shared/contract/resources.ts'
import { maxTextBytes } from '../../shared/domain/file-kind.ts'

const latin = Buffer.from('\xe9t\xe9 latin', 'latin1')
const image = Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1')
const zip = Buffer.from('PK\x03\x04\x14\0', 'latin1')

const kinds = {
  'a.txt': 'A',
  'a.zip': 'PK',
  archive: zip,
  big: '',
  'empty.ts': '',
  film: Buffer.from('\0\0\0\x20ftypisom', 'latin1'),
  image,
  latin,
  link: { link: 'archive' },
}

const startWithKinds = async (
  config: { readonly disableTypeDetectionByHeader?: boolean } = {},
): Promise<TestApp> => {
  const app = await startApp({ files: { docs: kinds }, config })
  for (const name of ['big', 'film']) await truncate(path.join(app.disk, 'docs', name), maxTextBytes + 1)
  return app
}

const typesByName = ({ items }: Pick<FolderResource, 'items'>) =>
  Object.fromEntries(items.map(({ name, type }) => [name, type]))

/**
 * Requests a listing in the JSON format and in the row format, and returns the file types of each, keyed by file name.
 */
async function listedTypes(app: TestApp): Promise<readonly Readonly<Record<string, string>>[]> {
  const json = (await (await app.call('resources.get', { path: '/docs' })).json()) as FolderResource
  const headers = { accept: 'application/x-ndjson' }
  const lines = (await (await app.call('resources.get', { path: '/docs', headers })).text()).trimEnd()
  const rows = lines
    .split('\n')
    .slice(1)
    .flatMap((line) => JSON.parse(line) as ListingRow[])
  return [typesByName(json), Object.fromEntries(rows.map((row) => [row[0], row[3]]))]
}

const file = async (app: TestApp, name: string) =>
  (await (await app.call('resources.get', { path: `/docs/${name}` })).json()) as FileResource

const detectedTypes = {
  'a.txt': 'text',
  'a.zip': 'blob',
  archive: 'blob',
  big: 'blob',
  'empty.ts': 'text',
  film: 'video',
  image: 'image',
  latin: 'text',
  link: 'blob',
}
const typesWithoutReading = { ...detectedTypes, archive: 'text', film: 'blob', image: 'text', link: 'text' }

test('a listing reads the first bytes of files whose names do not determine their type', async () => {
  const app = await startWithKinds()
  expect(await listedTypes(app)).toEqual([detectedTypes, detectedTypes])
})

test('with type detection by header off, unknown files up to 10 MiB are listed as text, and a single file is still read', async () => {
  const app = await startWithKinds({ disableTypeDetectionByHeader: true })
  expect(await listedTypes(app)).toEqual([typesWithoutReading, typesWithoutReading])
  for (const [name, type] of Object.entries(detectedTypes)) {
    expect([name, (await file(app, name)).type]).toEqual([name, type])
  }
})

test('a listing in a public share never reads files, whatever the setting, but a single shared file is read', async () => {
  for (const disableTypeDetectionByHeader of [false, true]) {
    const app = await startWithKinds({ disableTypeDetectionByHeader })
    const { hash } = await share(app, '/docs')
    expect(typesByName((await (await requestAsGuest(app, 'share', hash)).json()) as FolderResource)).toEqual(
      typesWithoutReading,
    )
    for (const [name, type] of Object.entries(detectedTypes)) {
      const shown = (await (await requestAsGuest(app, 'share', `${hash}/${name}`)).json()) as FileResource
      expect([name, shown.type]).toEqual([name, type])
    }
  }
})

test('Latin-1 is text and is shown as if it were UTF-8, and its plain bytes can be saved unchanged', async () => {
  const app = await startApp({ files: { docs: { latin, 'lat.dat': latin.subarray(0, 3) } } })
  expect(await file(app, 'latin')).toMatchObject({ type: 'text', content: '\ufffdt\ufffd latin', size: 9 })
  expect(await file(app, 'lat.dat')).toMatchObject({ type: 'text', content: '\ufffdt\ufffd' })
  const bytes = async () => {
    const reply = await app.call('resources.get', {
      path: '/docs/latin',
      headers: { 'x-encoding': 'true' },
    })
    return Buffer.from(await reply.arrayBuffer())
  }
  const body = await bytes()
  expect(body).toEqual(latin)
  expect((await app.fetch('/api/resources/docs/latin', { method: 'PUT', body })).status).toBe(200)
  expect(await bytes()).toEqual(latin)
})
