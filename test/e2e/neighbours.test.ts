import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const picture = await rotatedJpeg(60, 40)
const files = {
  Photos: { '1.jpg': picture, '2.jpg': picture, '3.jpg': picture },
  Texts: { 'a.txt': 'the first text\n'.repeat(200), 'b.txt': 'the second text' },
}

atRoot({ files, people: [ann] }, ({ server, window }) => {
  test('an arrow key that is pressed before the other files of the folder are known leads to the next file as soon as they are', async () => {
    const page = await window()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Photos/**', async (route) => {
      if (new URL(route.request().url()).pathname.endsWith('/Photos/')) await isReleased
      await route.continue()
    })
    await signIn(page, server(), ann, '/files/Photos/1.jpg')
    await page.locator('[data-part="file"] h1').getByText('1.jpg').waitFor()
    await page.keyboard.press('ArrowRight')
    expect(new URL(page.url()).pathname).toBe('/files/Photos/1.jpg')
    release()
    await page.waitForURL('**/files/Photos/2.jpg')
    await page.locator('[data-part="file"] h1').getByText('2.jpg').waitFor()
  })

  test('the film strip and the count follow what others add to the folder', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/Photos/1.jpg')
    const facts = page.locator('[data-part="file"] header')
    await facts.getByText('1 of 3').waitFor()
    let added = 3
    // The server may watch the folder only after the first file.
    await eventually(async () => {
      if (added < 9) await writeFile(path.join(server().folder, `Photos/${(added += 1)}.jpg`), picture)
      return (await facts.innerText()).includes('1 of 3')
    }, false)
    await eventually(async () => (await facts.innerText()).includes(`1 of ${added}`), true)
  })

  test('Enter in a text that a guest reads does not lead to the next file', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    const headers = { 'X-Auth': token }
    const answer = await page.request.post(`${server().url}/api/share/Texts/`, { headers, data: {} })
    const { hash } = await answer.json()
    await page.goto(`${server().url}/share/${hash}/a.txt`)
    const text = page.getByText('the first text').first()
    await text.click()
    await page.locator('section[tabindex="0"]').filter({ has: text }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    expect(await page.getByText('the second text').count()).toBe(0)
    // The arrow key still does.
    await page.keyboard.press('ArrowRight')
    await page.getByText('the second text').waitFor()
  })
})
