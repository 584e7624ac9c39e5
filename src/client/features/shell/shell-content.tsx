import { commandRefusals } from '../../../shared/domain/commands/command-refusals.ts'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { X } from 'lucide'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { shellHistory } from '../../state/panels/shell.ts'
import { Button } from '../../ui/button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { unlistedText } from './built-ins.ts'
import { ElapsedTime } from './elapsed-time.tsx'
import type { ShellEntry } from './scrollback.ts'
import { useShell } from './use-shell.ts'
import styles from './shell.module.css'

/** Renders the output of the commands, and the line on which the user types the next one. */
export function ShellContent({ folder: pageFolder }: { readonly folder: Path }) {
  const { folder, entries, startMs, submit, stop } = useShell(pageFolder)
  const isRunning = startMs !== null
  const [line, setLine] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const recall = useHistory(line, setLine)
  const log = useFollowedEnd()
  const content = useRef<HTMLDivElement>(null)
  const isShown = useRef(false)
  // The input is disabled while a command runs. The focus waits on the output, because a second Enter on the button would
  // stop the command. A user who works elsewhere when the command ends keeps the focus there.
  useEffect(() => {
    const focused = document.activeElement
    const isElsewhere = focused !== document.body && content.current?.contains(focused) === false
    if (!isShown.current || !isElsewhere) (isRunning ? log.current : input.current)?.focus()
    isShown.current = true
  }, [isRunning, log])
  return (
    <div ref={content} className={styles.content} dir="ltr">
      <div ref={log} className={styles.log} role="log" aria-label={t('command.output')}>
        {entries.map((entry) => (
          <CommandOutput key={entry.id} entry={entry} />
        ))}
      </div>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          submit(line)
          setLine('')
        }}
      >
        <label htmlFor="shell-line" className={styles.prompt}>
          <bdi>{visibleName(folder)}</bdi>
        </label>
        <input
          id="shell-line"
          aria-label={t('command.line', { folder: visibleName(folder) })}
          ref={input}
          className={styles.input}
          value={line}
          placeholder={entries.length === 0 ? 'help' : undefined}
          disabled={isRunning}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setLine(target.value)}
          onKeyDown={recall}
        />
        {isRunning && (
          <>
            <ElapsedTime startMs={startMs} />
            <Button icon={X} onClick={stop}>
              {t('command.stop')}
            </Button>
          </>
        )}
      </form>
    </div>
  )
}

/** Returns how a command ended, or why it did not run. Null when its output says all. */
function endText(end: NonNullable<ShellEntry['end']>, line: string): string | null {
  switch (end.kind) {
    case 'refused':
    case 'answered':
      return null
    case 'exit':
      return t('command.exit', { code: end.code })
    case 'not-listed':
      return unlistedText(line)
    default:
      return t(`command.${end.kind}`)
  }
}

function CommandOutput({ entry: { folder, line, output, end } }: { readonly entry: ShellEntry }) {
  const refusal = commandRefusals.find((kind) => kind === end?.kind)
  return (
    <div className={styles.entry}>
      <p className={styles.typed}>
        <bdi>{visibleName(folder)}</bdi> {line}
      </p>
      {/* The output of a command that did not run is the English text for clients that know no reasons. */}
      {output !== '' && refusal === undefined && (
        <pre className={styles.output} data-failed={end?.kind === 'answered' && end.isFailure}>
          {output}
        </pre>
      )}
      {end !== null && endText(end, line) !== null && (
        <p className={styles.end} data-failed={end.kind !== 'exit' || end.code !== 0}>
          {endText(end, line)}
        </p>
      )}
    </div>
  )
}

/** Returns a key listener with which the arrow keys recall earlier lines (specification 4). */
function useHistory(line: string, setLine: (line: string) => void) {
  const position = useRef<{ readonly fromEnd: number; readonly draft: string }>({ fromEnd: 0, draft: '' })
  return (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key } = event
    const history = shellHistory.get()
    if (key !== 'ArrowUp' && key !== 'ArrowDown') {
      position.current = { fromEnd: 0, draft: '' }
      return
    }
    event.preventDefault()
    const { fromEnd, draft } = position.current
    const next = Math.min(history.length, Math.max(0, fromEnd + (key === 'ArrowUp' ? 1 : -1)))
    const kept = fromEnd === 0 ? line : draft
    position.current = { fromEnd: next, draft: kept }
    setLine(next === 0 ? kept : (history[history.length - next] ?? ''))
  }
}

/** Keeps the end of the output in view, unless the user has scrolled back. */
function useFollowedEnd() {
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = log.current
    // The keys scroll the output only while it has the focus.
    if (element !== null) element.tabIndex = 0
    const onScroll = (): void => {
      if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => element?.removeEventListener('scroll', onScroll)
  }, [])
  useLayoutEffect(() => {
    if (isAtEnd.current && log.current) log.current.scrollTop = log.current.scrollHeight
  })
  return log
}
