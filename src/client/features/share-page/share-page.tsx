import { useEffect, useState } from 'react'
import { CircleAlert } from 'lucide'
import { nameOf, root } from '../../../shared/domain/path.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { config, instanceName } from '../../api/config.ts'
import { statusOf } from '../../api/call.ts'
import '../../i18n/guest-texts.ts'
import { t } from '../../i18n/translate.ts'
import { useClockTicks } from '../../i18n/use-clock-ticks.ts'
import { useLocation } from '../../router/use-location.ts'
import { setTitle } from '../../state/page-title.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Credits } from '../../ui/credits.tsx'
import { GlyphSprite } from '../../ui/file-picture.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { refusalText } from './refusal-text.ts'
import { ShareFailure } from './share-failure.tsx'
import { isShareRoot, shareRootOf, type SharePath } from './share-address.ts'
import { failedDownload } from './share-download.ts'
import { useVisitedEntry, type VisitedEntry } from './use-visited-entry.ts'
import styles from './share-page.module.css'
import { lazyModule, lazyPart } from '../../state/parts/lazy-part.ts'

/** The order in which a shared folder is shown first. */
const firstOrder: ListingOrder = { by: 'name', descending: false, folders: 'first' }

const Loading = () => <Spinner className={styles.loading} />

/** A folder needs the grid, which an open file, a password and a drop box do not need. */
const folder = lazyModule(() => import('./shared-folder.tsx'))
const SharedFolder = folder.part((module) => module.SharedFolder, Loading)

// Most links lead to a folder, so its code is requested together with the entry.
void folder.prepare()

/** A file has the frame of open files, which the rows of a folder do not need. */
const SharedFile = lazyPart(async () => (await import('./open-file/shared-file.tsx')).SharedFile, Loading)

/** The cards that only some shares show. */
const UnlockCard = lazyPart(async () => (await import('./unlock-card.tsx')).UnlockCard, Loading)
const DropCard = lazyPart(async () => (await import('./drop/drop-card.tsx')).DropCard, Loading)

/** Renders the page of a share for somebody who has its link. The page neither uses nor shows the session of a user. */
export function SharePage() {
  useClockTicks()
  const { path } = useLocation()
  const { StaticURL, Version, DisableExternal, BaseURL, HideLoginButton } = config()
  return (
    <div className={styles.page}>
      <GlyphSprite />
      <header className={styles.header}>
        <img src={`${StaticURL}/img/logo.svg`} alt="" height={32} />
        <span>{instanceName()}</span>
      </header>
      <main id="content" className={styles.main}>
        {path === null || path === root ? (
          <ShareFailure path={null} thrown={null} retry={() => undefined} />
        ) : (
          <Share key={shareRootOf(path)} path={path} />
        )}
      </main>
      <footer className={styles.footer}>
        {!HideLoginButton && <a href={`${BaseURL}/login`}>{t('login.submit')}</a>}
        <Credits version={Version} isLinkHidden={DisableExternal} />
      </footer>
    </div>
  )
}

function Share({ path }: { readonly path: SharePath }) {
  const { key } = useLocation()
  const [order, setOrder] = useState(firstOrder)
  const refusal = useStore(failedDownload)
  const shared = useVisitedEntry(path)
  useTitle(titleOf(shared, path))
  useEffect(() => {
    if (failedDownload.get()?.path !== path) failedDownload.set(null)
  }, [path])
  if (shared.kind === 'loading') return <Loading />
  if (shared.kind === 'failed')
    return <ShareFailure path={path} thrown={shared.thrown} retry={shared.retry} />
  if (shared.kind === 'locked' || shared.kind === 'drop')
    return shared.kind === 'locked' ? (
      <UnlockCard failure={shared.failure} unlock={shared.unlock} />
    ) : (
      <DropCard
        link={shareRootOf(path)}
        drop={shared.drop}
        token={shared.token}
        sender={shared.terms.sender}
      />
    )
  const { entry, parent, token, terms, retry } = shared
  const onRefused = (thrown: unknown): void => {
    failedDownload.set({ path, thrown })
    // The entry may be gone, or may need a password now. The page then says so instead.
    if ([401, 403, 404].includes(statusOf(thrown))) retry()
  }
  return (
    <div className={styles.shown}>
      {entry.isDir ? (
        <SharedFolder
          {...{ path, terms, order, onRefused }}
          key={key}
          visitKey={key}
          folder={entry}
          onOrder={setOrder}
        />
      ) : (
        <SharedFile
          {...{ path, token, terms, order, onRefused }}
          file={entry}
          parent={isShareRoot(path) ? undefined : parent}
        />
      )}
      {/* The style sheet puts the message above the entry, or above a picture that covers the page. */}
      {refusal?.path === path && (
        <div className={styles.refusal}>
          <Banner kind="danger" icon={CircleAlert} isAlert>
            {t('guest.refused', { reason: refusalText(refusal.thrown) })}
          </Banner>
        </div>
      )}
    </div>
  )
}

/** Returns the name of what is shown, or an empty text while nothing is shown. */
function titleOf(shared: VisitedEntry, path: SharePath): string {
  if (shared.kind === 'drop') return shared.drop.name
  return shared.kind === 'shown' ? shared.entry.name || nameOf(path) : ''
}

/** Shows the name of the entry in the title of the tab. */
function useTitle(name: string): void {
  useEffect(() => {
    setTitle({ text: name === '' ? t('title.share') : `${visibleName(name)} - ${t('title.share')}` })
  }, [name])
}
