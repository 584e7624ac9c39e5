import { expect, test } from 'vitest'
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
