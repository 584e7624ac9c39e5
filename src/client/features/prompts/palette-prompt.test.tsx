import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { becomePerson } from '../../../../test/components/person.tsx'
import { render } from '../../../../test/components/show-file.tsx'
import { PalettePrompt } from './palette-prompt.tsx'

const dialog = () => page.getByRole('dialog', { name: 'Go to file' })
const field = () => dialog().getByRole('combobox')
const options = () => dialog().getByRole('option')
const first = () => options().first()
/** Returns the name and the folder of each hit, without its size and its date. */
const found = (): string[] =>
  options()
    .elements()
    .map((option) => (option as HTMLElement).innerText.split('\n').slice(0, 2).join('\n'))
const height = () => dialog().element().getBoundingClientRect().height
const marks = (): (string | null)[] =>
  Array.from(first().element().querySelectorAll('mark'), ({ textContent }) => textContent)
const pages = ['page 1.md\nLetters', 'page 2.md\nLetters', 'page 10.md\nLetters']

/** Opens the field to a user who may download files, or to one who may not. */
async function openPalette({ mayDownload = true } = {}): Promise<void> {
  const perm = { download: mayDownload }
  await becomePerson(mayDownload ? 'pia' : 'pit', { scope: '/palette', perm })
  await render(<PalettePrompt text="" />)
  await expect.element(field()).toHaveFocus()
}

/** Passes the requests of searches through a function, which may change or replace them. */
function interceptSearches(answer: (send: () => Promise<Response>) => Promise<Response>): void {
  const fetchBefore = globalThis.fetch
  globalThis.fetch = (...request) => {
    const [input] = request
    const isSearch = String(input instanceof Request ? input.url : input).includes('/api/search/')
    return isSearch ? answer(() => fetchBefore(...request)) : fetchBefore(...request)
  }
  onTestFinished(() => {
    globalThis.fetch = fetchBefore
  })
}

test('a file is found by letters of its path, in the order of a listing', async () => {
  await openPalette()
  await field().fill('letters/10')
  await expect.poll(found).toEqual(['page 10.md\nLetters'])
  await field().fill('page')
  await expect.poll(found).toEqual(pages)
})

test('letters that are apart give way to names that contain the text', async () => {
  await openPalette()
  await field().fill('usctl')
  await expect.poll(found).toEqual(['usctl.md\nuser-settings'])
  await field().fill('usctrl')
  await expect.poll(found).toEqual(['control.ts\nuser-settings'])
  expect(marks()).toEqual(['c', 'tr', 'l', 'us'])
})

test('the found letters of odd names are marked', async () => {
  await openPalette()
  for (const [text, name, marked] of [
    ['a2f', 'a%2Fb', ['a', '2F']],
    ['#&', '#?&+', ['#', '&']],
    ['🎉f', '🎉 fun.png', ['🎉', 'f']],
    ['تا', 'تقرير المبيعات.md', ['ت', 'ا']],
    ['lxe', `long ${'x'.repeat(246)} end`, ['l', 'x', 'e']],
  ] as const) {
    await field().fill(text)
    // A name that runs from right to left stands between marks that isolate it.
    const label = (): string =>
      first()
        .element()
        .querySelector('.visually-hidden')
        ?.textContent?.replace(/^\u2068+/, '') ?? ''
    await expect.poll(() => label().startsWith(name)).toBe(true)
    expect(marks()).toEqual(marked)
  }
})

test('accents are ignored, in names and in folders', async () => {
  await openPalette()
  await field().fill('generique films')
  await expect.poll(marks).toEqual(['Générique', 'Films'])
  await field().fill('fin')
  await expect.poll(marks).toEqual(['fin'])
})

test('names and paths are shortened around the found letters, also on a phone', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await openPalette()
  for (const width of [1280, 390]) {
    await page.viewport(width, 800)
    await field().fill('turnover annexes')
    await expect.poll(marks).toEqual(['turnover', 'annexes'])
    const [name, folder] = found()[0]?.split('\n') ?? []
    expect(name).toMatch(/^A .*….*turnover.*tes\.pdf$/)
    expect(folder).toMatch(/annexes.*….*lawyers$/)
    const lines = [...first().element().querySelectorAll('span:has(> bdi)')]
    expect(lines.map(isWhole)).toEqual([true, true])
    await field().clear()
  }
})

/** Returns true when a line shows all of its text, and so the letters that are marked in it. */
function isWhole(line: Element): boolean {
  const { left, right } = line.getBoundingClientRect()
  const mark = line.querySelector('mark')!.getBoundingClientRect()
  const text = line.querySelector('bdi')!.getBoundingClientRect()
  return (
    mark.left >= left && mark.right <= right && Math.abs(text.left - left) < 1 && text.right <= right + 0.5
  )
}

test('a picture has its size, its date and a thumbnail', async () => {
  await openPalette()
  await field().fill('snst')
  await expect
    .element(dialog().getByRole('option', { name: /^sunset\.jpg.*Pictures.*KB.*(now|ago)$/ }))
    .toBeVisible()
  await expect.poll(() => first().element().querySelectorAll('img[data-state="there"]').length).toBe(1)
})

test('a picture has no thumbnail for a user who may not download it', async () => {
  await openPalette({ mayDownload: false })
  await field().fill('snst')
  await expect
    .element(dialog().getByRole('option', { name: /^sunset\.jpg.*Pictures.*KB.*(now|ago)$/ }))
    .toBeVisible()
  expect(first().element().querySelectorAll('img')).toHaveLength(0)
})

test('a search that failed is tried again by a button and by Enter', async () => {
  let status = 500
  interceptSearches((send) => (status === 200 ? send() : Promise.resolve(new Response('', { status }))))
  await openPalette()
  for (const [text, retry] of [
    ['page', () => dialog().getByRole('button', { name: 'Retry' }).click()],
    ['page m', () => userEvent.keyboard('{Enter}')],
  ] as const) {
    status = 500
    await field().fill(text)
    await expect
      .element(dialog().getByText('The server could not search. Try again, or tell an administrator.'))
      .toBeVisible()
    status = 200
    await retry()
    await expect.poll(found).toEqual(pages)
  }
})

test('a search that is forbidden is not offered again', async () => {
  interceptSearches(() => Promise.resolve(new Response('', { status: 403 })))
  await openPalette()
  await field().fill('page d')
  await expect
    .element(dialog().getByText(/^The search did not succeed\. You don't have permissions/))
    .toBeVisible()
  expect(dialog().getByRole('button', { name: 'Retry' }).elements()).toEqual([])
})

test('a further letter narrows the files before the server has answered, and the dialog keeps its height', async () => {
  let isHeld = false
  interceptSearches((send) => (isHeld ? new Promise(() => {}) : send()))
  await openPalette()
  await userEvent.keyboard('page 1')
  await expect.poll(found).toEqual(['page 1.md\nLetters', 'page 10.md\nLetters'])
  const before = height()
  isHeld = true
  await userEvent.keyboard('0')
  await expect.poll(found).toEqual(['page 10.md\nLetters'])
  expect(height()).toBe(before)
  isHeld = false
  await userEvent.keyboard('{Backspace}')
  await expect.poll(found).toEqual(['page 1.md\nLetters', 'page 10.md\nLetters'])
  await expect.element(first()).toHaveAttribute('data-focused')
  await expect.element(field()).toHaveAttribute('aria-activedescendant', first().element().id)
  // The arrow keys go around.
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(options().last()).toHaveAttribute('data-focused')
})

test('files that are found one after the other stay on screen while better ones move them', async () => {
  interceptSearches(async (send) => {
    const response = await send()
    const lines = (await response.text()).split(/(?<=\n)/)
    const body = new ReadableStream({
      async start(stream) {
        for (const line of lines) {
          stream.enqueue(new TextEncoder().encode(line))
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        stream.close()
      },
    })
    return new Response(body, response)
  })
  await openPalette()
  await field().fill('img 4')
  await expect.poll(() => found()[0]).toBe('IMG_4.jpg\nCamera')
  expect(found().length).toBeGreaterThan(1)
})
