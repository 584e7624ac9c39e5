import { type UIEvent, useEffect, useRef, useState } from 'react'
import { namesOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { matchingRanges } from '../../listing/rows/name-match.ts'
import { useColumnStyle } from '../../listing/sizes/column-widths.ts'
import { draggedResults } from '../../operations/dragged-entries.ts'
import { filesUrl } from '../../router/router.ts'
import { Link } from '../../router/link.tsx'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { useStore } from '../../state/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { PathText } from '../../ui/direction/path-text.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { draggedAmong, extendFound, foundSelection, toggleFound, useHasSelection } from './found-selection.ts'
import { parseSearch } from './query-words.ts'
import { resultLook, resultMenu } from './result-layer-state.ts'
import {
  pageRows,
  position,
  useCurrentResult,
  useFocusAfterPrompt,
  useFocusOnReturn,
  useSavedPosition,
} from './result-position.ts'
import { ResultRow } from './result-row.tsx'
import { groupByFolder } from './search-hit.ts'
import type { FolderSearch } from './searcher.ts'
import { useLongPress } from './use-long-press.ts'
import { useResultEvents } from './use-result-events.ts'
import styles from './search-results.module.css'

const { Part: ResultLayers } = lazyPart(async () => (await import('./result-layers.tsx')).ResultLayers)

/** The distance to the end of the list, in views, at which further results are shown. */
const nearEndViews = 1

/** Renders the hits of a search, grouped by their folder. The arrow keys move between them. */
export function ResultList({ search }: { readonly search: FolderSearch }) {
  const { folder, text, entries } = search
  const key = `${folder}\n${text}`
  const list = useRef<HTMLDivElement>(null)
  const [saved] = useState(() => (position.get().key === key ? position.get() : null))
  const [shown, setShown] = useState(saved?.shown ?? pageRows)
  const [current, setCurrent] = useCurrentResult(entries, saved?.current ?? 0)
  const visible = entries.slice(0, shown)
  const tabStop = Math.min(current, visible.length - 1)
  const chosen = useStore(foundSelection)
  const hasSelection = useHasSelection()
  const isLooking = useStore(resultLook)
  const hasLayers = useStore(resultMenu) !== null || isLooking
  useSavedPosition(list, { key, shown, current: tabStop })
  useFocusAfterPrompt(list)
  useFocusOnReturn(list, saved?.isLeft === true)
  useLongPress(list, toggleFound)
  useEffect(() => {
    draggedResults.set(() => (element: Element) => draggedAmong(search, element))
    return () => draggedResults.set(null)
  }, [search])
  const query = parseSearch(text)
  const rangesOf = (name: string) => matchingRanges(name, query)

  const onScroll = ({ currentTarget: at }: UIEvent): void => {
    position.set((now) => ({ ...now, topPx: at.scrollTop }))
    const leftPx = at.scrollHeight - at.scrollTop - at.clientHeight
    if (leftPx < at.clientHeight * nearEndViews && shown < entries.length) setShown(shown + pageRows)
  }
  const select = (path: Path, isRange: boolean): void => {
    const start = visible[tabStop]?.path ?? path
    if (isRange) extendFound(entries, { start, path, isAdded: false })
    else toggleFound(path)
  }
  useResultEvents(list, { search, visible, tabStop, select, onFocus: setCurrent })
  return (
    <>
      <div ref={list} className={styles.list} style={useColumnStyle()} onScroll={onScroll}>
        <ul aria-label={t('search.below')}>
          {groupByFolder(visible).map((group) => (
            <li key={group.entries[0]?.path ?? ''}>
              <p className={styles.group}>
                <Icon name="folder" size={16} />
                <Link to={filesUrl(group.folder, true)} tabIndex={-1} className={styles.path}>
                  <PathText names={namesBelow(folder, group.folder)} />
                </Link>
              </p>
              <ul aria-label={namesBelow(folder, group.folder).map(visibleName).join(' / ')}>
                {group.entries.map((entry, at) => (
                  <ResultRow
                    key={entry.path}
                    entry={entry}
                    index={group.start + at}
                    isTabStop={group.start + at === tabStop}
                    isSelected={chosen.paths.has(entry.path)}
                    hasCheckbox={hasSelection}
                    onSelect={select}
                    rangesOf={rangesOf}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
      {hasLayers && <ResultLayers search={search} current={visible[tabStop]} />}
    </>
  )
}

const namesBelow = (folder: Path, path: Path): readonly string[] =>
  namesOf(path).slice(namesOf(folder).length)
