import type { KeyboardEvent } from 'react'
import { t } from '../../../i18n/translate.ts'
import { type Player, type PlayerState, usePlayerState } from './player.ts'
import { spokenTime } from './time-text.ts'
import styles from './player-bar.module.css'

/** The steps of the arrow keys on the slider, in seconds. Page up and Page down go by a tenth of the file. */
const arrowStepS = 5

/** Renders the slider that shows and changes the position in a file, with the parts that are loaded. */
export function SeekSlider({ player }: { readonly player: Player }) {
  const state = usePlayerState(player)
  const { timeS, durationS, loaded } = state
  const isKnown = durationS > 0
  const percent = (seconds: number): string => `${isKnown ? (100 * seconds) / durationS : 0}%`
  const onKey = (event: KeyboardEvent): void => {
    const bySeconds = stepOf(event.key, state)
    if (bySeconds === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    player.seek(timeS + bySeconds)
  }
  return (
    <div className={styles.seek}>
      {loaded.map(({ startS, endS }) => (
        <span
          key={startS}
          className={styles.loaded}
          style={{ insetInlineStart: percent(startS), inlineSize: percent(endS - startS) }}
        />
      ))}
      <span className={styles.played} style={{ inlineSize: percent(timeS) }} />
      <input
        type="range"
        aria-label={t('viewer.time')}
        aria-valuetext={t('viewer.timeOf', { time: spokenTime(timeS), total: spokenTime(durationS) })}
        min={0}
        max={isKnown ? durationS : 1}
        step="any"
        value={timeS}
        disabled={!isKnown}
        onKeyDown={onKey}
        onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

function stepOf(key: string, { timeS, durationS }: PlayerState): number {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -arrowStepS,
    ArrowDown: -arrowStepS,
    ArrowRight: arrowStepS,
    ArrowUp: arrowStepS,
    PageDown: -durationS / 10,
    PageUp: durationS / 10,
    Home: -timeS,
    End: durationS - timeS,
  }
  return steps[key] ?? 0
}
