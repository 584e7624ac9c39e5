import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { faintPartsIn } from './appearances.ts'
import { atRoot, eventually, lowContrastsIn, violationsIn, violationsInBothThemes } from './journeys.ts'

const files = {
  Photos: { 'one.png': '' },
  'report.txt': 'quarterly',
  'a picture with a long name that goes on and on until it must be cut.png': '',
}

/** Returns the edges of an element on the screen in CSS pixels. */
const boxOf = async (part: ReturnType<Page['locator']>) => {
  const { x, width } = (await part.boundingBox()) ?? { x: NaN, width: NaN }
  return { start: x, end: x + width }
}

/** Returns the elements that a transition or an animation moves for more than 90 ms. */
const longMovements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const style = getComputedStyle(element)
      const moves = /transform|translate|all|left|top|width|height|inset/.test(style.transitionProperty)
      const durations = [
        ...(moves ? style.transitionDuration.split(',') : []),
        ...(style.animationName === 'none' ? [] : style.animationDuration.split(',')),
      ]
      const isLong = durations.some((duration) => Number.parseFloat(duration) > 0.09)
      return isLong ? [`${element.tagName} ${element.className}`] : []
    }),
  )

/** Moves the focus with Tab as often as told, and returns the elements around which no line shows that they have it. */
async function unmarkedFocusIn(page: Page, presses: number): Promise<string[]> {
  const unmarked: string[] = []
  let reached = 0
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body) return { isReached: false, unmarked: null }
      // The line of a field is around the box that contains it, and that of a wide button around its name.
      const box = focused.matches('input') ? focused.parentElement : null
      const places = [
        [focused, ''],
        [focused, '::before'],
        ...(box === null ? [] : [[box, ''] as const]),
      ] as const
      const isMarked = places.some(([element, part]) => {
        const style = getComputedStyle(element, part)
        const isOutlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1
        // A line at a distance is seen whatever colour the element has.
        const isDistinct =
          style.outlineColor !== style.backgroundColor || Number.parseFloat(style.outlineOffset) > 0
        return (isOutlined && isDistinct) || style.backgroundImage.startsWith('linear-gradient')
      })
      return {
        isReached: true,
        unmarked: isMarked ? null : (focused.ariaLabel ?? focused.outerHTML.slice(0, 120)),
      }
    })
    reached += Number(found.isReached)
    if (found.unmarked !== null) unmarked.push(found.unmarked)
  }
  return reached >= presses / 2 ? unmarked : [`only ${reached} elements had the focus`]
}

atRoot({ files, init: ['--signup'] }, ({ server, window }) => {
  // Journey: look-1
  test('login, list and prompts have no violation that axe reports in both themes', async () => {
    const page = await window()
    await page.goto(`${server().url}/login`)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('Password Confirmation').fill('another one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText("Passwords don't match").waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    await rowOf(page, /report\.txt/).click()
    await page.keyboard.press('F2')
    await rowOf(page, /report\.txt/)
      .getByRole('textbox')
      .waitFor()
    expect(['F2', await violationsInBothThemes(page)]).toEqual(['F2', []])
    await page.keyboard.press('Escape')
    for (const key of ['F1', 'Delete']) {
      await rowOf(page, /report\.txt/).click()
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      expect([key, await violationsInBothThemes(page)]).toEqual([key, []])
      await page.keyboard.press('Escape')
      await eventually(() => page.getByRole('dialog').count(), 0)
    }
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    await fetch(`${server().url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
    await page.getByRole('dialog', { name: /Your session has ended/ }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.goto(`${server().url}/404`)
    await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  // Journey: look-2
  test('list, menu and prompts have no violation that axe reports with more contrast or forced colours, and nothing moves long with less movement', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    const row = rowOf(page, /report\.txt/)
    await row.click()
    for (const media of [
      { contrast: 'more' },
      { forcedColors: 'active' },
      { reducedMotion: 'reduce' },
    ] as const) {
      await page.emulateMedia({ contrast: null, forcedColors: null, reducedMotion: null, ...media })
      const hasLessMovement = 'reducedMotion' in media
      const found: string[] = []
      // These media change only colours and movements, so the other rules of axe check with one of them. No rule looks at movements.
      const check = async () => {
        if ('contrast' in media) found.push(...(await violationsIn(page, 'light')))
        if ('forcedColors' in media)
          found.push(...(await lowContrastsIn(page)), ...(await faintPartsIn(page)))
      }
      await check()
      await row.focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menu').waitFor()
      await check()
      const moved = await longMovements(page)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await page.keyboard.press('F1')
      const help = page.getByRole('dialog', { name: 'Help' })
      await help.waitFor()
      await eventually(
        () => page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
        true,
      )
      await check()
      expect([media, found]).toEqual([media, []])
      const movements = hasLessMovement ? [...moved, ...(await longMovements(page))] : []
      expect(movements).toEqual([])
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
    }
    await page.emulateMedia({ contrast: null, forcedColors: null, reducedMotion: null })
  })

  test('with forced colours and with more contrast, a line shows which element has the focus', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    for (const media of [{ contrast: 'more' }, { forcedColors: 'active' }] as const) {
      await page.emulateMedia({ contrast: null, forcedColors: null, ...media })
      for (const address of ['/files/', '/files/report.txt', '/settings/profile']) {
        await page.goto(server().url + address)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        expect([media, address, await unmarkedFocusIn(page, 30)]).toEqual([media, address, []])
      }
    }
    await page.emulateMedia({ contrast: null, forcedColors: null })
  })

  // Journey: look-3
  test('a width of 736 px gives a drawer and a bottom bar, and 737 px the wide layout, where large text leaves the header whole', async () => {
    const page = await window({ viewport: { width: 736, height: 800 } })
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    const create = page.getByRole('button', { name: 'New', exact: true })
    const distanceFromEdge = async () => 800 - ((await create.boundingBox())?.y ?? 0)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    expect([await sidebar.isVisible(), (await distanceFromEdge()) < 100]).toEqual([false, true])
    await page.setViewportSize({ width: 737, height: 800 })
    await eventually(() => sidebar.isVisible(), true)
    await eventually(async () => (await distanceFromEdge()) > 600, true)

    // With large text, the search covers no other part of the header, and on phones it stays at the edge.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    const header = page.getByRole('banner')
    const isApart = async () => {
      const name = await boxOf(header.getByText('Stowage', { exact: true }))
      const search = await boxOf(header.getByRole('search').locator('input').locator('..'))
      return name.end <= search.start && search.end <= 1280
    }
    await eventually(isApart, true)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${server().url}/settings/profile`)
    const opener = page.getByRole('banner').getByRole('search').getByRole('button').first()
    await eventually(async () => (await boxOf(opener)).end > 370, true)
  })

  // Journey: look-4
  test('no page is wider than the screen of a small phone, a tap opens an entry, and a long press selects it', async () => {
    const page = await window({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
    await signIn(page, server(), ann)
    await rowOf(page, /Photos/).tap()
    await page.waitForURL(`${server().url}/files/Photos/`)
    await page.goBack()
    await rowOf(page, /report\.txt/).waitFor()
    const box = await rowOf(page, /report\.txt/).boundingBox()
    const session = await page.context().newCDPSession(page)
    const touchPoints = [{ x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 20 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    // The finger selects while it is still on the screen, and opens nothing when it leaves.
    await eventually(() => page.locator('[role="row"][aria-selected="true"]').count(), 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await eventually(() => page.locator('[role="row"][aria-selected="true"]').count(), 1)
    expect(page.url()).toBe(`${server().url}/files/`)

    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBeLessThanOrEqual(320)
    await page.goto(`${server().url}/settings/profile`)
    await page.getByLabel('Your new password', { exact: true }).waitFor()
    const rightEdges = await page
      .locator('main input')
      .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().right))
    expect(Math.max(...rightEdges)).toBeLessThanOrEqual(320)
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${server().url}/login`)
    await page.getByLabel('Username').waitFor()
    expect(await width()).toBeLessThanOrEqual(320)
  })

  // Journey: look-5
  test('in the pseudo-languages every text is from the catalogue, and the page reads from the left or from the right', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    const id = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).user.id as number
    const speak = (language: string) =>
      fetch(`${server().url}/api/users/${id}`, {
        method: 'PUT',
        headers: { 'X-Auth': token },
        body: JSON.stringify({ what: 'user', which: ['locale'], data: { id, locale: language } }),
      })
    for (const [locale, direction] of [
      ['en-XA', 'ltr'],
      ['ar-XB', 'rtl'],
    ] as const) {
      expect((await speak(locale)).status).toBe(200)
      await page.reload()
      await rowOf(page, /report\.txt/).waitFor()
      await eventually(() => page.evaluate(() => document.documentElement.dir || 'ltr'), direction)
      const plain = ['My files', 'New folder', 'Name', 'Last modified', 'Logout', 'Upload']
      // The page starts with the locale of the saved session. The renewed session names the new locale.
      for (const text of plain) {
        await eventually(async () => [text, await page.getByText(text, { exact: true }).count()], [text, 0])
      }
      await rowOf(page, /report\.txt/).click({ button: 'right' })
      const menu = page.getByRole('menu')
      expect(await menu.evaluate((element) => getComputedStyle(element).direction)).toBe(direction)
      await page.keyboard.press('Escape')
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
      ).toBe(true)
    }
    expect((await speak('')).status).toBe(200)
  })
})
