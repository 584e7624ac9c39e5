import { useCallback, useRef, useState } from 'react'
import { Expand, PictureInPicture2, Shrink } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { useIdleMark } from '../../../ui/file-frame/use-idle-mark.ts'
import { useFullScreen } from '../frame/full-screen.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import type { ViewerProps } from '../viewer.ts'
import { CueTexts } from './cue-texts.tsx'
import { usePictureInPicture } from './picture-in-picture.ts'
import { PlayerBar } from './player-bar.tsx'
import { PlayerNotes } from './player-notes.tsx'
import { subtitleMenu } from './subtitle-menu.ts'
import { languageOf, useCues, useSubtitleSelection } from './subtitles.ts'
import { useCheckedSubtitle } from './use-checked-subtitle.ts'
import { useUnknownVideo } from './codecs/unknown-codecs.ts'
import { useVideoClicks } from './use-video-clicks.ts'
import { useMediaSession } from './use-media-session.ts'
import { usePlayer } from './use-player.ts'
import { usePlayerKeys } from './use-player-keys.ts'
import styles from './media.module.css'

/** Plays a video. It continues where the user left it, and shows the subtitles that are beside it. */
export function VideoViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const frame = useRef<HTMLDivElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [hasPicture, setHasPicture] = useState(true)
  const unknownVideo = useUnknownVideo(file, !hasPicture)
  const { open, connect } = usePlayer({ file, isQuick, minResumedS: 0, onBroken })
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const connectVideo = useCallback(
    (element: HTMLVideoElement | null) => {
      setVideo(element)
      return element === null ? undefined : connect(element)
    },
    [connect],
  )
  const player = open?.player ?? null
  const subtitles = useSubtitleSelection(file.subtitles)
  const shown = subtitles.chosen
  const { url, isRefused } = useCheckedSubtitle(shown?.address)
  const { attach, cues, isBroken } = useCues()
  const fullScreen = useFullScreen(video)
  const pictureInPicture = usePictureInPicture(video)
  useIdleMark(frame, { isOn: true, wakesByKeys: true })
  useVideoClicks(video, { onClick: () => player?.toggle(), onDoubleClick: () => fullScreen.toggle?.() })
  useMediaSession(player, { title: file.name })
  usePlayerKeys({
    player,
    frame,
    isOff: isQuick,
    fullScreen,
    onSubtitles: subtitles.toggle,
  })
  return (
    <ViewerFrame look="stage">
      <div
        ref={frame}
        className={styles.player}
        data-part="player"
        data-full={fullScreen.isOn || undefined}
        data-playing={isPlaying || undefined}
      >
        <video
          ref={connectVideo}
          className={styles.video}
          aria-label={visibleName(file.name)}
          preload="metadata"
          poster={file.posterAddress ?? undefined}
          playsInline
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onLoadedMetadata={({ currentTarget }) => setHasPicture(currentTarget.videoWidth > 0)}
        >
          <track
            key={url}
            ref={attach}
            kind="captions"
            src={url}
            label={shown?.name}
            srcLang={shown === null ? undefined : (languageOf(shown.name) ?? 'und')}
          />
        </video>
        {!hasPicture && (
          <div className={styles.soundOnly}>
            <FilePicture name={file.name} type={file.type} isFolder={false} size={96} />
            <p>
              {unknownVideo === null
                ? t('viewer.soundOnly')
                : t('viewer.soundOnlyOf', { codec: unknownVideo })}
            </p>
          </div>
        )}
        <CueTexts cues={cues} />
        <div className={styles.notes}>
          {(isBroken || isRefused) && (
            <p className={styles.note} role="alert">
              {t('viewer.subtitlesFailed')}
            </p>
          )}
          {open !== null && <PlayerNotes open={open} />}
        </div>
        <div className={styles.over}>
          {player !== null && (
            <PlayerBar
              player={player}
              isQuick={isQuick}
              className={styles.bar}
              tools={
                isQuick
                  ? []
                  : [
                      file.subtitles.length > 0 && subtitleMenu(file.subtitles, subtitles),
                      pictureInPicture !== null && {
                        name: 'picture-in-picture',
                        icon: PictureInPicture2,
                        label: t('viewer.pictureInPicture'),
                        isPressed: pictureInPicture.isOn,
                        run: pictureInPicture.toggle,
                      },
                      fullScreen.toggle !== null && {
                        icon: fullScreen.isOn ? Shrink : Expand,
                        label: fullScreen.isOn ? t('viewer.endFullScreen') : t('viewer.fullScreen'),
                        hint: 'F',
                        run: fullScreen.toggle,
                      },
                    ]
              }
            />
          )}
        </div>
      </div>
    </ViewerFrame>
  )
}
