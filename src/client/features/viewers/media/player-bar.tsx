import { Pause, Play, SkipBack, SkipForward } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { Tools } from '../frame/tool.ts'
import { ToolList } from '../frame/toolbar.tsx'
import { type Player, usePlayerState } from './player.ts'
import { SeekSlider } from './seek-slider.tsx'
import { useSpeedMenu } from './speed-menu.ts'
import { timeText } from './time-text.ts'
import { VolumeControl } from './volume-control.tsx'
import styles from './player-bar.module.css'

/** The functions that open the previous and the next file of a playlist. Null where there is no such file. */
export type PlaylistSteps = {
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

type PlayerBarProps = {
  readonly player: Player
  /** True for the small player of the quick look. */
  readonly isQuick: boolean
  readonly steps?: PlaylistSteps
  readonly className?: string | undefined
  /** The tools at the end of the bar. */
  readonly tools?: Tools
}

/**
 * Renders the controls of a player. Like those of recorders and other players, they run from left to right in every
 * language.
 */
export function PlayerBar({ player, isQuick, steps, className, tools = [] }: PlayerBarProps) {
  const { isPlaying, isWaiting, timeS, durationS } = usePlayerState(player)
  const speed = useSpeedMenu()
  return (
    <div
      className={classNames(styles.bar, className)}
      role="toolbar"
      aria-label={t('viewer.player')}
      dir="ltr"
    >
      <SeekSlider player={player} />
      <div className={styles.buttons}>
        <ToolList
          opensUp
          tools={[
            steps !== undefined && {
              icon: SkipBack,
              label: t('viewer.previousSong'),
              blockedBy: steps.onPrevious === null ? t('viewer.isFirst') : undefined,
              run: () => steps.onPrevious?.(),
            },
            {
              icon: isPlaying ? Pause : Play,
              label: isPlaying ? t('viewer.pause') : t('viewer.play'),
              hint: isQuick ? undefined : 'K',
              isBusy: isWaiting,
              run: player.toggle,
            },
            steps !== undefined && {
              icon: SkipForward,
              label: t('viewer.nextSong'),
              blockedBy: steps.onNext === null ? t('viewer.isLast') : undefined,
              run: () => steps.onNext?.(),
            },
            { kind: 'slot', content: <VolumeControl hint={isQuick ? undefined : 'M'} /> },
            {
              kind: 'slot',
              content: (
                <span className={styles.time}>
                  {timeText(timeS)}
                  {durationS > 0 && <span className={styles.duration}> / {timeText(durationS)}</span>}
                </span>
              ),
            },
            !isQuick && speed,
            ...tools,
          ]}
        />
      </div>
    </div>
  )
}
