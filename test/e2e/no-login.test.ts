import { expect, test } from 'vitest'
import { rowOf } from '../kit/browser.ts'
import { everywhere } from './world.ts'

everywhere({ files: { 'report.txt': 'quarterly' }, init: ['--auth.method=noauth'] }, ({ server, window }) => {
  test('without authentication the first visit shows the files, and there is nothing to log out of', async () => {
    const page = await window()
    await page.goto(server().url)
    await rowOf(page, /report\.txt/).waitFor()
    expect(page.url()).toBe(`${server().url}/files/`)
    expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(0)
  })
})
