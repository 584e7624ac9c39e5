import axe from 'axe-core'

type Theme = 'light' | 'dark'

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Returns the violations that axe finds in what is rendered, by rule and element. In the dark theme it checks the contrast
 * alone, because nothing else can differ. Rules about a whole page do not apply to a component.
 */
export async function violations(theme: Theme = 'light'): Promise<string[]> {
  const { classList } = document.documentElement
  classList.add(theme)
  // A spinner never ends.
  const movements = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.all(movements.map(async ({ finished }) => finished.catch(() => null)))
  const { violations: found } = await axe.run(document.body, {
    runOnly:
      theme === 'dark' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: conformance },
    resultTypes: ['violations'],
    iframes: false,
  })
  classList.remove(theme)
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
}
