import { useEffect, useRef } from 'react'
import { isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { prompt } from '../../../state/prompt.ts'
import { selection } from '../../../state/selection.ts'
import { folderDesk } from '../folder-desk.ts'
import { combinationOf } from './key-combination.ts'
import { type ListKeyNeeds, pressInList, typeLetter } from './list-keys.ts'
import { sceneOf } from '../scene.ts'

/** How the user last did something: a folder opened by key begins with its first row in focus. */
export let lastInput: 'keyboard' | 'pointer' = 'pointer'

/** Hears keys for the whole page while the files are on screen: the list's own, the verbs', and letters of names. */
export function useKeyboard(list: ListKeyNeeds | null): void {
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      lastInput = 'keyboard'
      if (isElsewhere(event)) return
      if (press(latest.current, event)) event.preventDefault()
    }
    const onPointer = (): void => {
      lastInput = 'pointer'
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
}

function press(list: ListKeyNeeds | null, event: KeyboardEvent): boolean {
  const isInList = list !== null && (isPage(event.target) || isRow(event.target))
  const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
  if (isInList && pressInList(list, event)) return true
  if (isInList && isLetter && event.key === 'Backspace' && typeLetter(list, event)) return true
  if (runAction(event)) return true
  return isInList && isLetter && event.key !== ' ' && typeLetter(list, event)
}

/** Runs the verb of a key. A key that a verb owns is never the browser's, even while the verb is not possible. */
function runAction(event: KeyboardEvent): boolean {
  const combination = combinationOf(event)
  const action = actions.find(({ keys }) => keys.includes(combination))
  const scene = sceneOf(folderDesk.view.get(), selection.get())
  if (action === undefined || scene === null) return false
  if (isAvailable(action, scene)) void action.run(scene)
  return true
}

/** Somebody is typing, a prompt or a menu is open, or another has dealt with it. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || prompt.get().kind !== 'none') return true
  if (!(target instanceof HTMLElement)) return false
  const isField =
    target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type="checkbox"]'))
  return isField || target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
}

const isPage = (target: EventTarget | null): boolean =>
  target === document.body || target === document.documentElement

const isRow = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('[data-index]') || target.matches('[data-part="listing"], main'))
