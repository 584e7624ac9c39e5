import { expect, test } from 'vitest'
import { requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp } from '../../../test/kit/start-app.ts'

const gif = Buffer.from('GIF89a\x80\x02\xe0\x01\0\0\0', 'latin1')

test('the description of a single image contains its resolution, and a listing does not (contract 3.1)', async () => {
  const files = { 'a.gif': gif, 'broken.gif': 'GIF', 'a.svg': '<svg/>' }
  const app = await startApp({ files })
  const shown = async (target: string) => (await app.call('resources.get', { path: target })).json()
  expect(await shown('/a.gif')).toMatchObject({ type: 'image', resolution: { width: 640, height: 480 } })
  for (const target of ['/broken.gif', '/a.svg']) expect(await shown(target)).not.toHaveProperty('resolution')
  expect(JSON.stringify(await shown('/'))).not.toContain('resolution')
  const withoutDownload = await startApp({ files, user: { perm: { download: false } } })
  const resource = await (await withoutDownload.call('resources.get', { path: '/a.gif' })).json()
  expect(resource).not.toHaveProperty('resolution')
})

test('the description of an image for a guest contains its resolution, also for a link that is for viewing only', async () => {
  const app = await startApp({ files: { album: { 'a.gif': gif, 'broken.gif': 'GIF', 'a.txt': 'text' } } })
  const folders = [await share(app, '/album'), await share(app, '/album', { mode: 'view-only' })]
  const file = await share(app, '/album/a.gif')
  const shown = async (rest: string) => (await requestAsGuest(app, 'share', rest)).json()
  for (const rest of [file.hash, ...folders.map(({ hash }) => `${hash}/a.gif`)])
    expect(await shown(rest)).toMatchObject({ type: 'image', resolution: { width: 640, height: 480 } })
  for (const { hash } of folders) {
    for (const name of ['broken.gif', 'a.txt'])
      expect(await shown(`${hash}/${name}`)).not.toHaveProperty('resolution')
    expect(JSON.stringify(await shown(hash))).not.toContain('resolution')
  }
})
