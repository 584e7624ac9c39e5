import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { makeUnreachable } from '../kit/mounts.ts'
import { ada, bea } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const files = {
  Docs: { Old: { 'letter.txt': 'dear' } },
  Letters: { 'page 1.md': '', 'page 2.md': '', 'page 10.md': '' },
  Films: {
    'clip #1 50%.txt': 'scene',
    'a%2Fcuts': { 'x.txt': '' },
  },
  Camera: {
    'IMG_4.jpg': '',
    ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`IMG_0${n + 100}4.jpg`, ''])),
  },
  'user-settings': { 'control.ts': '', 'usctl.md': '' },
  // Names that differ in a space only.
  Twins: { 'q w.txt': '', 'qw.txt': '' },
  'report.txt': 'figures',
}

/** Opens the dialog that finds a file by its name. */
async function goToFile(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+p')
  return page.getByRole('dialog', { name: 'Go to file' })
}

/** Closes the open dialog with Escape. */
async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Returns the name and the folder of each hit, without its size and its date. */
const foundIn = async (dialog: Locator): Promise<string[]> => {
  const texts = await dialog.getByRole('option').allInnerTexts()
  return texts.map((text) => text.split('\n').slice(0, 2).join('\n'))
}

atRoot({ files, people: [ada, bea] }, ({ server, window }) => {
  /** Opens the top folder, and selects a row with a press of the mouse. */
  const openList = async (person = bea): Promise<Page> => {
    const page = await window()
    await signIn(page, server(), person)
    await rowOf(page, /report\.txt/).click()
    return page
  }

  // Journey: palette-1
  test('typing a part of a command in the palette runs it, and what is typed while its code loads is not run unseen', async () => {
    const page = await window()
    const released = Promise.withResolvers<undefined>()
    await page.route(/\/later-[^/]*\.js/, async (route) => {
      await released.promise
      await route.continue()
    })
    await signIn(page, server(), ada)
    const row = rowOf(page, /report\.txt/)
    await row.click()
    await eventually(() => row.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('new fo')
    await page.keyboard.press('Enter')
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
    released.resolve(undefined)
    const field = page.getByRole('combobox', { name: 'Type the name of an action' })
    await eventually(() => field.inputValue(), '>new fo')
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('New folder'),
      'Find “new fo” in all folders',
    ])
    await page.keyboard.type('lder')
    expect(await field.inputValue()).toBe('>new folder')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('Plans')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Plans/')
    expect(existsSync(path.join(server().folder, 'Plans'))).toBe(true)
  })

  test('the dialog that finds a file says when a folder could not be searched', async (context) => {
    const disk = path.join(server().folder, 'Docs', 'Lost disk')
    mkdirSync(disk)
    const mend = makeUnreachable(disk, 'dead')
    if (mend === null) context.skip()
    else onTestFinished(mend)
    const page = await openList()
    const dialog = await goToFile(page)
    await dialog.getByRole('combobox').fill('letter')
    await dialog.getByText('1 folder could not be searched, because the server cannot reach it.').waitFor()
  })

  // Journey: palette-2
  test('the palette finds folders, settings, themes and the logout, and has no shell on a server without commands', async () => {
    const page = await openList(ada)
    expect(await page.getByRole('button', { name: 'Toggle shell' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Command palette' })
    const field = dialog.getByRole('combobox')
    const heightOf = async () => Math.round((await dialog.boundingBox())?.height ?? 0)
    await field.and(page.locator(':focus')).waitFor()
    const height = await heightOf()
    for (const [text, found] of [
      ['camera', 'Camera'],
      ['dark', 'Theme: Dark'],
      ['theme light', 'Theme: Light'],
      ['settings', 'Profile Settings'],
      ['settings', 'Share Management'],
      ['log out', 'Logout'],
      ['logout', 'Logout'],
      ['help', 'Help'],
      ['go to file', 'Go to file'],
      ['sidebar', 'Toggle sidebar'],
      ['sort', 'Sort by name'],
      ['sort', 'Sort by size'],
      ['sort', 'Reverse order'],
      ['upload', 'Upload files'],
      ['show as', 'Show as gallery'],
    ] as const) {
      await field.fill(`>${text}`)
      await dialog.getByRole('option').filter({ hasText: found }).first().waitFor()
      expect(await heightOf()).toBe(height)
    }
    await field.fill('>toggle')
    await dialog.getByText('Toggle sidebar').waitFor()
    expect(await dialog.getByText('Toggle shell').count()).toBe(0)
    await field.fill('>users')
    await eventually(() => dialog.getByRole('option').allInnerTexts(), ['Find “users” in all folders'])
    await field.fill('>sort')
    expect(await dialog.getByRole('option', { name: 'Sort by name, current' }).locator('svg').count()).toBe(2)
    await field.fill('>theme dark')
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => document.documentElement.className.includes('dark')), true)
  })

  test('Ctrl+P goes back to the last place, also after a reload, the palette knows the open file and the folders above it, and Escape returns into the text', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/files/Docs/Old/')
    await rowOf(page, /letter/).dblclick()
    await page.waitForURL('**/files/Docs/Old/letter.txt')
    const text = page.locator('.cm-content')
    await text.waitFor()
    const files = await goToFile(page)
    await files.getByRole('option').first().and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Docs/Old/')
    await rowOf(page, /letter/).waitFor()
    await page.reload()
    await rowOf(page, /letter/).waitFor()
    await goToFile(page)
    await eventually(() => foundIn(files), ['letter.txt\nDocs / Old'])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Docs/Old/letter.txt')
    await text.waitFor()

    // The palette applies to an open file what the header of the file offers.
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    for (const name of ['Delete', 'Rename', 'Download', 'Info', 'Copy to…', 'Move to…']) {
      await palette.getByRole('combobox').fill(`>${name}`)
      await eventually(
        async () => (await palette.getByRole('option').first().innerText()).split('\n')[0],
        name,
      )
    }
    await palette.getByRole('combobox').fill('>select')
    await eventually(() => palette.getByRole('option').allInnerTexts(), ['Find “select” in all folders'])
    await palette.getByRole('combobox').fill('>info')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Info' }).getByText('letter.txt').first().waitFor()
    await closeDialog(page)

    await page.goBack()
    await rowOf(page, /letter/).waitFor()
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('docs')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Docs/')
    await rowOf(page, /Old/).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Docs / Old' }).click()
    await page.waitForURL('**/files/Docs/Old/')

    await rowOf(page, /letter/).dblclick()
    for (const keys of ['Control+p', 'Control+k']) {
      await text.click()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press(keys)
      await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor()
      await closeDialog(page)
      await text.and(page.locator(':focus')).waitFor()
      await page.keyboard.type('!')
    }
    expect(await text.innerText()).toBe('d!!ear')
    await goToFile(page)
    await files.getByRole('combobox').fill('report.txt')
    await page.getByRole('option').filter({ hasText: 'report.txt' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('alertdialog', { name: 'Save changes?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await text.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('?')
    expect(await text.innerText()).toBe('d!?!ear')
  })

  // Journey: palette-3
  test('Ctrl+P offers the folders of the open folder without recent places, opens the best or the chosen file of any folder, prefers the open folder, and marks options only below a moving pointer', async () => {
    const page = await openList()
    const dialog = await goToFile(page)
    const field = dialog.getByRole('combobox')
    const options = dialog.getByRole('option')
    await field.and(page.locator(':focus')).waitFor()
    await dialog.getByText('Folders in this folder').waitFor()
    await eventually(async () => (await foundIn(dialog))[0], 'Camera\nMy files')
    await dialog.getByRole('option', { name: /^Films/ }).click()
    await page.waitForURL('**/files/Films/')
    await rowOf(page, /clip/).waitFor()
    await goToFile(page)
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('clip')
    await options.filter({ hasText: 'clip #1 50%.txt' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Films/clip%20%231%2050%25.txt')
    await page.keyboard.press('Control+p')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('cuts')
    await options.filter({ hasText: 'a%2Fcuts' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Films/a%252Fcuts/')
    await rowOf(page, /x\.txt/).waitFor()

    // The best of many found files is first, also when Enter is pressed before it is found.
    await goToFile(page)
    await field.fill('img 4')
    await eventually(async () => (await foundIn(dialog))[0], 'IMG_4.jpg\nCamera')
    await field.fill('img 4.j')
    await field.press('Enter')
    await page.waitForURL('**/files/Camera/IMG_4.jpg')

    await goToFile(page)
    await field.fill('page')
    // While the search of a slow server runs, its first hits are not the best ones.
    await eventually(
      async () => (await foundIn(dialog)).slice(0, 2),
      ['page 1.md\nLetters', 'page 2.md\nLetters'],
    )
    await options.first().and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/Letters/page%202.md')

    await goToFile(page)
    await field.fill('uctrl')
    await options.filter({ hasText: 'control.ts' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/user-settings/control.ts')
    await goToFile(page)
    await field.fill('con')
    await eventually(async () => (await foundIn(dialog))[0], 'control.ts\nuser-settings')
    await closeDialog(page)
    await page.mouse.move(640, 300)
    await goToFile(page)
    await field.fill('img')
    await eventually(async () => (await options.count()) > 10, true)
    // Only a pointer that moves marks an option below it.
    const marked = () =>
      options.evaluateAll((all) =>
        all.flatMap((hit, at) => (getComputedStyle(hit).backgroundColor === 'rgba(0, 0, 0, 0)' ? [] : [at])),
      )
    await eventually(marked, [0])
    await page.mouse.move(640, 304)
    await eventually(async () => (await marked()).length, 2)
    await field.press('4')
    await eventually(marked, [0])
  })

  test('the palette lists actions that the selection does not allow with the reason, Enter on one runs nothing, and Ctrl+Enter opens the chosen file in a new tab', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/files/Twins/')
    const row = rowOf(page, /^qw/)
    await row.waitFor()
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const field = palette.getByRole('combobox')
    const options = palette.getByRole('option')
    await page.keyboard.press('Control+k')
    await field.and(page.locator(':focus')).waitFor()
    // The text is found in “Parent folder”, too.
    await page.keyboard.type('ren')
    await eventually(() => options.first().innerText(), 'Rename\nSelect one item first')
    expect(await options.first().getAttribute('aria-disabled')).toBe('true')
    await eventually(() => options.first().getAttribute('data-focused'), 'true')
    await page.keyboard.press('Enter')
    await options.first().click({ force: true })
    // A later key is shown, so that the page has also handled Enter.
    await field.pressSequentially('a')
    await eventually(() => field.inputValue(), '>rena')
    expect([await palette.isVisible(), new URL(page.url()).pathname]).toEqual([true, '/files/Twins/'])
    await closeDialog(page)
    await row.click()
    await page.keyboard.press('Control+k')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('ren')
    await eventually(() => options.first().innerText(), 'Rename\nF2')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Rename' }).waitFor()
    await closeDialog(page)

    const files = await goToFile(page)
    await files.getByRole('combobox').fill('w.txt')
    await eventually(() => foundIn(files), ['q w.txt\nTwins', 'qw.txt\nTwins'])
    await files.getByRole('option').first().and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('ArrowDown')
    await files.getByRole('option').last().and(page.locator('[data-focused]')).waitFor()
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.keyboard.press('Control+Enter'),
    ])
    await opened.waitForURL('**/files/Twins/qw.txt')
    await opened.close()
  })

  // Journey: palette-4
  test('the palette offers no action that the user may not run, leads to Go to file and back with the typed text, and Enter that is pressed twice or held runs nothing', async () => {
    const page = await openList()
    const row = rowOf(page, /report\.txt/)
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const files = page.getByRole('dialog', { name: 'Go to file' })
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Show as mosaic' }).waitFor()
    const offered = (await page.getByRole('option').allInnerTexts()).join('\n')
    expect(offered).not.toMatch(/Delete|Rename|Move|Copy(?! address)|New|Upload|Download/)
    await page.keyboard.press('Escape')
    await eventually(() => row.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('nothing like this')
    // The names of files are not searched here, so nothing is said about them. The offer to search them is marked.
    const find = page.getByRole('option', { name: 'Find “nothing like this” in all folders' })
    await find.waitFor()
    const background = await find.evaluate((option) => getComputedStyle(option).backgroundColor)
    expect(background).not.toBe('rgba(0, 0, 0, 0)')
    expect(await palette.getByText(/has this name/).count()).toBe(0)
    await page.keyboard.press('Enter')
    await files.getByText('Nothing matches').waitFor()
    await closeDialog(page)

    // The two dialogs lead to each other with the text that was typed.
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill('>page 10')
    await palette.getByRole('option', { name: 'Find “page 10” in all folders' }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(() => foundIn(files), ['page 10.md\nLetters'])
    await files.getByText('Commands: Ctrl+K').waitFor()
    await files.getByRole('combobox').fill('as mosaic')
    const offer = files.getByRole('option', { name: 'Find “as mosaic” among the commands' })
    await offer.waitFor()
    await files.getByText('Nothing matches “as mosaic”.').waitFor()
    await eventually(() => offer.getAttribute('data-focused'), 'true')
    await page.keyboard.press('Enter')
    await palette.getByRole('option', { name: 'Show as mosaic' }).waitFor()
    await palette.getByRole('combobox').press('Control+p')
    expect(await files.getByRole('combobox').inputValue()).toBe('as mosaic')
    await files.getByRole('combobox').press('Control+k')
    await palette.getByRole('option', { name: 'Show as mosaic' }).waitFor()
    await palette.getByRole('combobox').fill('>')
    await palette.getByRole('combobox').press('Control+p')
    await files.getByRole('combobox').waitFor()
    await page.keyboard.type('as gallery')
    await page.keyboard.press('Enter')
    await palette.getByRole('option', { name: 'Show as gallery' }).waitFor()
    await palette.getByRole('combobox').fill('>')
    await palette.getByRole('combobox').press('Control+p')
    await files.getByRole('combobox').waitFor()
    await page.keyboard.type('>as gallery')
    await palette.getByRole('option', { name: 'Show as gallery' }).waitFor()
    expect(await palette.getByRole('combobox').inputValue()).toBe('>as gallery')
    await closeDialog(page)

    // After `>` the palette names the way back, and Backspace leads there.
    await goToFile(page)
    await files.getByRole('combobox').pressSequentially('>')
    await palette.getByText('Go to file: Ctrl+P').waitFor()
    await palette.getByRole('combobox').pressSequentially('>gallery')
    await palette.getByRole('option', { name: 'Show as gallery' }).waitFor()
    await palette.getByRole('combobox').fill('>')
    await page.keyboard.press('Backspace')
    await files.waitFor()
    await closeDialog(page)
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').press('Backspace')
    await files.getByRole('combobox').fill('>clear')
    await palette.getByRole('option', { name: 'Clear', exact: false }).first().waitFor()
    await closeDialog(page)

    // A second press of Enter, or Enter that is held, runs no command that has just appeared.
    for (const isHeld of [false, true]) {
      await goToFile(page)
      await files.getByRole('combobox').fill('logout')
      await files.getByRole('option', { name: 'logout' }).waitFor()
      await page.keyboard.down('Enter')
      if (!isHeld) await page.keyboard.up('Enter')
      await palette.getByRole('option', { name: 'Logout' }).first().waitFor()
      await page.keyboard.down('Enter')
      // A held key repeats. The palette ignores the first press for 500 ms, and a repeated one for as long as it is held.
      if (isHeld) {
        const shownMs = performance.now()
        while (performance.now() - shownMs < 700) await page.keyboard.down('Enter')
      }
      await page.keyboard.up('Enter')
      // A later key is shown, so that the page has also handled Enter.
      await palette.getByRole('combobox').pressSequentially('x')
      await eventually(async () => (await palette.getByRole('combobox').inputValue()).endsWith('x'), true)
      expect([await palette.isVisible(), new URL(page.url()).pathname]).toEqual([true, '/files/'])
      await closeDialog(page)
    }
  })

  test('on a phone, a button closes both palettes, and the sidebar opens Go to file, which has the folder below the name', async () => {
    const page = await window({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await signIn(page, server(), bea)
    await rowOf(page, /report\.txt/).waitFor()
    for (const keys of ['Control+p', 'Control+k']) {
      await page.keyboard.press(keys)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }

    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await page.getByRole('navigation').getByRole('button', { name: 'Go to file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Go to file' })
    const field = dialog.getByRole('combobox')
    await field.and(page.locator(':focus')).waitFor()
    await field.fill('control')
    const option = dialog.getByRole('option')
    const [name, folder] = await Promise.all(
      ['control.ts', 'user-settings'].map((text) => option.getByText(text, { exact: true }).boundingBox()),
    )
    expect(folder?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0) - 1)
    expect(await option.getByText('now', { exact: true }).isVisible()).toBe(false)
    await option.click()
    await page.waitForURL('**/files/user-settings/control.ts')
  })
})
