import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { ChevronRight } from 'lucide'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { queryClient } from '../../../api/query-client.ts'
import { childOf, root, type Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { noTypedPrefix, prefixAfterKey, rowStartingWith } from '../../../listing/keys/type-ahead.ts'
import { arrowStep } from '../../../ui/direction/direction.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { Icon, directed } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { childFoldersQuery, shownNames } from './child-folders.ts'
import { choiceAbove, type FolderPickerProps } from './folder-choice.ts'
import styles from './folder-picker.module.css'

type FolderOptionsProps = Pick<FolderPickerProps, 'choice' | 'onChoose' | 'isExcluded' | 'opensOnSingleClick'>

/**
 * The maximum time between the two clicks of a double click. The folder picker detects double clicks itself, because a
 * label passes only single clicks on to its input.
 */
const doubleClickMs = 400

/** Renders the folders in a folder as options. */
export function FolderOptions({
  choice: { at, chosen, focused },
  onChoose,
  isExcluded,
  opensOnSingleClick,
}: FolderOptionsProps) {
  const group = useId()
  const list = useRef<HTMLDivElement>(null)
  const lastClick = useRef({ name: '', atMs: -Infinity })
  const entered = useRef<string>(null)
  const isPressed = useRef(false)
  const { data } = useSuspenseQuery(childFoldersQuery(at))
  useRequestOnNextVisit(at)
  const names = data.filter((name) => !isExcluded(childOf(at, name) ?? root))
  const goTo = (folder: Path): void => onChoose({ at: folder, chosen: null })
  const focusParent = (event: KeyboardEvent): void => {
    const parent = event.currentTarget.closest('fieldset')?.querySelector<HTMLElement>(':scope > button')
    if (!parent) return
    runInstead(event, () => onChoose({ at, chosen: null }))
    parent.focus()
  }
  const goUp = (): void => onChoose(choiceAbove(at))
  const onType = useTypedNames(names, (name) => onChoose({ at, chosen: name, focused: name }))
  useLayoutEffect(() => {
    // The button of the parent folder had the focus while the folders were loading.
    const isFocusNear = list.current?.closest('fieldset')?.contains(document.activeElement) === true
    if (isFocusNear) list.current?.querySelector('input')?.focus()
  }, [])
  useLayoutEffect(() => {
    if (focused === undefined) return
    const inputs = [...(list.current?.querySelectorAll('input') ?? [])]
    inputs.find(({ value }) => value === focused)?.focus()
  }, [focused])
  if (names.length === 0) {
    const text = data.length === 0 ? 'prompt.transfer.none' : 'prompt.transfer.noOther'
    return <p className={styles.message}>{t(text)}</p>
  }
  const shown = shownNames(names, chosen)
  return (
    <div ref={list} className={styles.options}>
      {shown.map((name) => {
        const enter = (): void => goTo(childOf(at, name) ?? at)
        return (
          <div key={name} className={styles.row}>
            <label className={styles.option} onPointerDown={() => (isPressed.current = true)}>
              <input
                type="radio"
                name={group}
                value={name}
                ref={takeLostFocus}
                className={styles.choice}
                checked={name === chosen}
                onChange={() => {
                  // The second click of a double click on a chosen folder first enters it and then chooses it again.
                  if (entered.current === name) return
                  const isPress = isPressed.current
                  isPressed.current = false
                  if (opensOnSingleClick && isPress) enter()
                  else onChoose({ at, chosen: name })
                }}
                onClick={({ timeStamp }) => {
                  const last = lastClick.current
                  lastClick.current = { name, atMs: timeStamp }
                  const isDouble = last.name === name && timeStamp - last.atMs < doubleClickMs
                  entered.current = isDouble ? name : null
                  if (isDouble) enter()
                  else if (name === chosen) goTo(at)
                }}
                onKeyDown={(event) => {
                  isPressed.current = false
                  if (arrowStep(event.key) === 1) runInstead(event, enter)
                  else if (event.key === 'ArrowUp' && name === shown[0]) focusParent(event)
                  // Enter confirms what the text below names. It must not act on another folder than the one with the focus.
                  else if (event.key === 'Enter' && name !== chosen)
                    runInstead(event, () => onChoose({ at, chosen: name }))
                  else if (!onType(event)) onBackKey(goUp)(event)
                }}
              />
              <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" size={20} />
              <FileName name={name} />
            </label>
            {/* Keyboard users open the folder with the arrow key in the reading direction, so the button is no tab stop. */}
            <button
              type="button"
              tabIndex={-1}
              className={styles.enter}
              aria-label={t('prompt.transfer.open', { name: visibleName(name) })}
              onClick={enter}
            >
              <Icon icon={directed(ChevronRight)} size={16} />
            </button>
          </div>
        )
      })}
      {shown.length < names.length && (
        <p className={styles.message}>{t('prompt.transfer.more', { count: names.length - shown.length })}</p>
      )}
    </div>
  )
}

/**
 * Marks the names of a folder as stale when they are no longer shown. A component that suspends takes names that are less
 * than a second old from the cache otherwise, and a folder that was created meanwhile would be missing.
 */
function useRequestOnNextVisit(folder: Path): void {
  useEffect(() => {
    const { queryKey } = childFoldersQuery(folder)
    return () => void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }, [folder])
}

/**
 * Returns a key listener that chooses the next name that starts with the typed letters, and the first or last name. The
 * listener returns true for a key that it has used.
 */
function useTypedNames(
  names: readonly string[],
  choose: (name: string) => void,
): (event: KeyboardEvent) => boolean {
  const typed = useRef(noTypedPrefix)
  return (event) => {
    const { key, target } = event
    const at = names.indexOf((target as HTMLInputElement).value)
    const next =
      key === 'Home' ? 0 : key === 'End' ? names.length - 1 : isLetter(event) ? nameAfterKey(event, at) : -1
    const name = names[next]
    if (name !== undefined) runInstead(event, () => choose(name))
    return name !== undefined
  }

  // The time of a letter is that of its event, because a busy page handles keys later than they were pressed.
  function nameAfterKey({ key, timeStamp }: KeyboardEvent, from: number): number {
    typed.current = prefixAfterKey(typed.current, key, timeStamp)
    const { text } = typed.current
    return rowStartingWith({ text, from, count: names.length, nameAt: (index) => names[index] ?? '' })
  }
}

/** Returns true for a key that types a character. The space bar chooses an option. */
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * Moves the focus to an element when no other element of its dialog has it: when the dialog opens, and when the focused
 * element was removed. Used as the `ref` of the first element of each list.
 */
export function takeLostFocus(element: HTMLElement | null): void {
  const dialog = element?.closest('[role="dialog"]')
  const { activeElement } = document
  if (activeElement === dialog || dialog?.contains(activeElement) === false) element?.focus()
}

function runInstead(event: KeyboardEvent, run: () => void): void {
  event.preventDefault()
  run()
}

/** Returns a key listener that goes up at Backspace and at the arrow key against the reading direction. */
export const onBackKey =
  (goUp: () => void) =>
  (event: KeyboardEvent): void => {
    if (arrowStep(event.key) === -1 || event.key === 'Backspace') runInstead(event, goUp)
  }
