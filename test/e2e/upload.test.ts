import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann, bea } from '../kit/run-server.ts'
import { eventually, everywhere } from './journeys.ts'

const upload = async (page: Page, names: readonly { name: string; text: string }[]) => {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
  ])
  await chooser.setFiles(
    names.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
  )
}
/** Simulates a user who drags a file from the desktop and drops it on an element. */
const drop = async (page: Page, selector: string, { name, text }: { name: string; text: string }) => {
  const transfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text!], name!, { type: 'text/plain' }))
      return transfer
    },
    [name, text],
  )
  // The code that receives drops is loaded after the page.
  await page.waitForLoadState('networkidle')
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.locator(selector).first().dispatchEvent(type, { dataTransfer: transfer })
}

everywhere({ files: { Docs: {}, 'report.txt': 'old text' } }, ({ server, window, testAtRoot }) => {
  const openRoot = async (person = ann) => {
    const page = await window()
    await signIn(page, server(), person)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }
  const read = (name: string): Promise<string> => readFile(path.join(server().folder, name), 'utf8')
  const hasPastedPicture = async (): Promise<boolean> =>
    (await readdir(server().folder)).some((name) => /^Pasted image .*\d.*\.png$/.test(name))
  // Journey: upload-1
  test('three files that are chosen with the upload button appear with their contents', async () => {
    const page = await openRoot()
    await upload(
      page,
      [1, 2, 3].map((n) => ({ name: `up-${n}.txt`, text: `text ${n}` })),
    )
    for (const n of [1, 2, 3]) await rowOf(page, new RegExp(`up-${n}`)).waitFor()
    await eventually(
      async () => Promise.all([1, 2, 3].map((n) => read(`up-${n}.txt`).catch(() => ''))),
      ['text 1', 'text 2', 'text 3'],
    )
    // The socket for changes and the previews have addresses below a base path, too.
    const picture = path.join(server().folder, 'by-a-program.jpg')
    await writeFile(`${picture}.part`, await rotatedJpeg(80, 60))
    await rename(`${picture}.part`, picture)
    await rowOf(page, /by-a-program/)
      .locator('img[data-state=there]')
      .waitFor()
    await rm(picture)
  })

  // Journey: upload-2
  testAtRoot(
    'a drop uploads into the open folder or the folder of the row, a pasted picture gets a time, and five of eight files are sent concurrently',
    async () => {
      const page = await openRoot()
      await drop(page, '[role="grid"]', { name: 'dropped.txt', text: 'here' })
      await rowOf(page, /dropped\.txt/).waitFor()
      await drop(page, '[role="row"][data-name="Docs"]', { name: 'inside.txt', text: 'there' })
      await eventually(
        () => readFile(path.join(server().folder, 'Docs', 'inside.txt'), 'utf8').catch(() => ''),
        'there',
      )

      await page.evaluate(() => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      })
      await eventually(hasPastedPicture, true)
      await rowOf(page, /^Pasted image .*\.png/)
        .first()
        .waitFor()

      let [now, most] = [0, 0]
      await page.route('**/api/resources/slow-*', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 300))
        now -= 1
        return route.continue()
      })
      await upload(
        page,
        Array.from({ length: 8 }, (_, n) => ({ name: `slow-${n}.txt`, text: 'slow' })),
      )
      await eventually(
        async () => (await readdir(server().folder)).filter((name) => name.startsWith('slow-')).length,
        8,
      )
      expect(most).toBe(5)
      // The uploads stay on screen for some seconds. They do not cover the row to which a key leads, nor the last row.
      await page.setViewportSize({ width: 1280, height: 420 })
      await rowOf(page, /Docs/).click()
      await page.keyboard.press('End')
      await page.keyboard.press('Home')
      const names: string[] = []
      for (let at = 0; at < 8; at += 1) {
        await page.keyboard.press('ArrowDown')
        const isCovered = await page.evaluate(() => {
          const row = document.activeElement?.closest('[role="row"]')?.getBoundingClientRect().bottom
          const tray = document.querySelector('[data-part="uploads"]')?.getBoundingClientRect().top
          return row === undefined || tray === undefined || row > tray
        })
        if (isCovered) names.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
      }
      expect(names).toEqual([])
      await page.keyboard.press('End')
      await eventually(async () => {
        const last = await rowOf(page, /slow-7/).boundingBox()
        const tray = await page.locator('[data-part="uploads"]').boundingBox()
        return last !== null && tray !== null && last.y + last.height <= tray.y
      }, true)
    },
  )

  // Journey: upload-3
  testAtRoot('without the permission a drop does nothing', async () => {
    const page = await openRoot(bea)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await drop(page, '[role="grid"]', { name: 'not-allowed.txt', text: 'no' })
    // The next folder is requested after everything that the drop could have sent.
    await rowOf(page, /Docs/).dblclick()
    await eventually(() => sent.includes('GET /api/resources/Docs/'), true)
    expect(sent.filter((request) => request.includes('not-allowed'))).toEqual([])
    expect((await readdir(server().folder)).includes('not-allowed.txt')).toBe(false)
  })

  // Journey: upload-4
  testAtRoot(
    'an upload with an existing name opens a prompt, which shows both pictures: skip keeps the old file, replace stores the new file',
    async () => {
      await writeFile(path.join(server().folder, 'photo.jpg'), await rotatedJpeg(400, 300))
      const page = await openRoot()
      await upload(page, [{ name: 'report.txt', text: 'new text' }])
      await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
      // A later upload is stored, so that the skipped one would have been stored before.
      await upload(page, [{ name: 'later.txt', text: 'later' }])
      await eventually(() => read('later.txt').catch(() => ''), 'later')
      expect(await read('report.txt')).toBe('old text')
      await upload(page, [{ name: 'report.txt', text: 'new text' }])
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
      await eventually(() => read('report.txt'), 'new text')

      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
      ])
      const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await rotatedJpeg(300, 400) }
      await chooser.setFiles([photo])
      const dialog = page.getByRole('dialog', { name: 'Replace' })
      const pictures = dialog.locator('img[data-state="there"]')
      await eventually(
        () =>
          pictures.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src.split(':')[0])),
        ['http', 'blob'],
      )
      await dialog.getByRole('button', { name: 'Skip' }).click()

      // A name that is taken without the page knowing opens the prompt, too.
      await page.route('**/api/resources/late.txt*', async (route) => {
        if (route.request().method() === 'POST' && !route.request().url().includes('override=true')) {
          await writeFile(path.join(server().folder, 'late.txt'), 'theirs')
        }
        await route.continue()
      })
      await upload(page, [{ name: 'late.txt', text: 'ours' }])
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
      await eventually(() => read('late.txt'), 'ours')
    },
  )

  // Journey: upload-5
  testAtRoot('while files are uploaded the percent is rounded up, and leaving the page warns', async () => {
    const page = await openRoot()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/resources/held-*', async (route) => {
      if (route.request().method() === 'POST') await isReleased
      await route.continue()
    })
    await upload(
      page,
      ['first.txt', 'held-1.txt', 'held-2.txt'].map((name) => ({ name, text: '7 bytes' })),
    )
    const progress = page.getByRole('progressbar', { name: 'Upload progress' })
    await eventually(() => progress.first().getAttribute('value'), '34')
    const [warning] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
    expect(warning.type()).toBe('beforeunload')
    await warning.dismiss()
    release()
    for (const name of ['first.txt', 'held-1.txt', 'held-2.txt'])
      await eventually(() => read(name).catch(() => ''), '7 bytes')
    await eventually(() => progress.count(), 0)
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
  })

  // This is the last journey, because the user has no room for files after it.
  // Journey: upload-6
  testAtRoot(
    'a folder keeps its tree and times, an upload waits for the connection and goes on beside other pages, and the quota is named as a reason',
    async () => {
      await writeFile(path.join(server().folder, 'Docs', 'letter.txt'), 'dear')
      const from = await mkdtemp(path.join(tmpdir(), 'stowage-tree-'))
      await mkdir(path.join(from, 'album', 'inner'), { recursive: true })
      await writeFile(path.join(from, 'album', 'cover.txt'), 'cover')
      await writeFile(path.join(from, 'album', 'inner', 'song.txt'), 'song')
      // Files from 1 MiB on are sent in parts.
      await writeFile(path.join(from, 'album', 'film.bin'), Buffer.alloc(2 ** 20 + 1))
      for (const name of ['cover.txt', 'film.bin']) await utimes(path.join(from, 'album', name), 1.6e9, 1.6e9)
      const page = await openRoot()
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('dialog').getByRole('button', { name: 'Folder', exact: true }).click(),
      ])
      await chooser.setFiles(path.join(from, 'album'))
      await eventually(() => read('album/inner/song.txt').catch(() => ''), 'song')
      await eventually(() => read('album/cover.txt').catch(() => ''), 'cover')
      for (const name of ['cover.txt', 'film.bin']) {
        const modified = () => stat(path.join(server().folder, 'album', name)).then(({ mtimeMs }) => mtimeMs)
        await eventually(() => modified().catch(() => 0), 1.6e12)
      }
      await rowOf(page, /album/).waitFor()

      // An upload waits without leftovers while the connection is broken, and then completes by itself.
      let isCut = true
      await page.route('**/api/resources/cut.txt*', (route) =>
        isCut && route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await upload(page, [{ name: 'cut.txt', text: 'whole' }])
      await page.getByText('Waiting for connection').first().waitFor()
      expect((await readdir(server().folder)).filter((name) => name.includes('cut'))).toEqual([])
      isCut = false
      await eventually(() => read('cut.txt').catch(() => ''), 'whole')

      // An upload goes on while another folder and a file are opened.
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/resources/on-*', async (route) => {
        if (route.request().method() === 'POST') await isReleased
        await route.continue()
      })
      await upload(
        page,
        [1, 2, 3, 4, 5, 6, 7].map((n) => ({ name: `on-${n}.txt`, text: `text ${n}` })),
      )
      await page.getByRole('progressbar', { name: 'Upload progress' }).first().waitFor()
      await rowOf(page, /^Docs/).dblclick()
      await rowOf(page, /^letter\.txt/).dblclick()
      await page.waitForURL('**/Docs/letter.txt')
      await page.getByText('dear').first().waitFor()
      release()
      for (const n of [1, 7]) await eventually(() => read(`on-${n}.txt`).catch(() => ''), `text ${n}`)
      expect(page.url()).toContain('/Docs/letter.txt')

      // Over the quota, the reason can be read whole, on wide screens and on phones.
      await server().cli('users', 'update', ann.name, '--quota', '1000')
      await page.goto(`${server().url}/files/`)
      await rowOf(page, /report\.txt/).waitFor()
      await drop(page, '[role="grid"]', { name: 'large.txt', text: 'large '.repeat(500) })
      const reason = page.getByText(/^Not enough space is left in your quota\./)
      await reason.waitFor()
      const cutOff = () =>
        reason.evaluate((element) => [
          element.scrollWidth - element.clientWidth,
          element.scrollHeight - element.clientHeight,
        ])
      expect(await cutOff()).toEqual([0, 0])
      await page.setViewportSize({ width: 390, height: 800 })
      await eventually(() => reason.isVisible(), true)
      await eventually(cutOff, [0, 0])
      expect(await read('large.txt').catch(() => null)).toBe(null)
    },
  )
})
