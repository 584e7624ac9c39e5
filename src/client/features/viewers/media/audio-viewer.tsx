import { useCallback, useRef } from 'react'
import type { FileType } from '../../../../shared/domain/file-types.ts'
import { splitName } from '../../../../shared/domain/names.ts'
import { useStore } from '../../../state/store.ts'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import type { Neighbour, ViewerProps } from '../viewer.ts'
import { fileAfter, type PlayChoices, repeatMode, shuffle } from './play-order.ts'
import { usePlayOrderTools } from './play-order-tools.ts'
import { PlayerBar, type PlaylistSteps } from './player-bar.tsx'
import { PlayerNotes } from './player-notes.tsx'
import { Playlist } from './playlist.tsx'
import { openAudio, playNeighbour, repeatOpen } from './shared-audio.ts'
import { useMediaSession } from './use-media-session.ts'
import { usePlayer } from './use-player.ts'
import { usePlayerKeys } from './use-player-keys.ts'
import { useTags } from './use-tags.ts'
import styles from './media.module.css'

const audioTypes: ReadonlySet<FileType> = new Set(['audio'])

/** Only long files such as audio books continue where the user left them. Songs begin at their start. */
const minResumedS = 10 * 60

type AudioViewerProps = Pick<ViewerProps, 'file' | 'neighboursOf' | 'isQuick' | 'onBroken'>

/** Plays an audio file with its cover, and the other audio files of the folder after it. */
export function AudioViewer({ file, neighboursOf, isQuick, onBroken }: AudioViewerProps) {
  const frame = useRef<HTMLDivElement>(null)
  const files = neighboursOf(audioTypes)
  const repeat = useStore(repeatMode)
  const shuffled = useStore(shuffle)
  const { onPrevious, onNext } = stepsIn(files, { repeat, shuffled })
  const { open, connect } = usePlayer({
    file,
    isQuick,
    minResumedS,
    onBroken,
    onEnded: () => (repeat === 'one' ? repeatOpen() : onNext?.()),
  })
  const player = open?.player ?? null
  const { name, type } = file
  const connectAudio = useCallback(
    (host: HTMLElement | null) => (host === null ? undefined : openAudio(host, name, connect)),
    [name, connect],
  )
  const { title, artist, album, cover } = useTags(file.address)
  const shownTitle = title ?? visibleName(splitName(name).stem)
  const facts = [artist, album].filter((text) => text !== null)
  useMediaSession(player, {
    title: shownTitle,
    artist: artist ?? '',
    album: album ?? '',
    cover,
    onPrevious,
    onNext,
  })
  const orderTools = usePlayOrderTools({ hasOthers: files.length > 1 })
  usePlayerKeys({ player, frame, isOff: isQuick })
  return (
    <ViewerFrame look="document" ground="screen">
      <div ref={frame} className={styles.card} data-part="player">
        <div ref={connectAudio} className={styles.song}>
          {cover === null ? (
            <div className={styles.noCover}>
              <FilePicture name={name} type={type} isFolder={false} size={96} />
            </div>
          ) : (
            <img className={styles.cover} src={cover} alt="" />
          )}
          <div className={styles.facts}>
            <h2 className={styles.title}>
              <bdi>{shownTitle}</bdi>
            </h2>
            {facts.length > 0 && (
              <p className={styles.artist}>
                <bdi>{facts.join(' · ')}</bdi>
              </p>
            )}
          </div>
          {open !== null && <PlayerNotes open={open} />}
          {player !== null && (
            <PlayerBar
              player={player}
              isQuick={isQuick}
              tools={isQuick ? [] : orderTools}
              {...(files.length > 1 && { steps: { onPrevious, onNext } })}
            />
          )}
        </div>
        {files.length > 1 && <Playlist files={files} />}
      </div>
    </ViewerFrame>
  )
}

/**
 * Returns the functions that open the files before and after the open file. The next file starts to play if the open
 * file is playing.
 */
function stepsIn(files: readonly Neighbour[], choices: PlayChoices): PlaylistSteps {
  return {
    onPrevious: stepTo(fileAfter(files, -1, choices)),
    onNext: stepTo(fileAfter(files, 1, choices)),
  }
}

const stepTo = (file: Neighbour | undefined): (() => void) | null =>
  file === undefined ? null : () => playNeighbour(file)
