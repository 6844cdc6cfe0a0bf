import { useState } from 'react'
import type { ReactNode } from 'react'
import { GridList, GridListItem } from 'react-aria-components'
import type { AppState } from '../../shared/contract/contract.ts'
import { call } from '../client/client.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { Button, TextField } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notices.tsx'
import { Callout } from './page.tsx'

type Props = { host: AppState['host']; value: string; onChange: (path: string) => void; problem?: string | null }

/** A path of a folder: typed, or chosen in the system's dialog on the desktop and in our own in a browser. */
export function FolderPicker({ host, value, onChange, problem }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [browsing, setBrowsing] = useState(false)
  async function choose(): Promise<void> {
    if (host === 'browser') {
      setBrowsing(true)
      return
    }
    try {
      const { path } = await call('folders.choose', {})
      if (path !== null) onChange(path)
    } catch (error) {
      notify('problem', errorSentence(error))
    }
  }
  return (
    <div className="folder-picker">
      <TextField label={t('field.path')} value={value} onChange={onChange} problem={problem} isRequired />
      <Button icon="folder" onPress={() => void choose()}>
        {t('folders.browse')}
      </Button>
      {browsing && (
        <BrowseDialog
          start={value === '' ? null : value}
          onClose={() => setBrowsing(false)}
          onChoose={(path) => {
            onChange(path)
            setBrowsing(false)
          }}
        />
      )}
    </div>
  )
}

function BrowseDialog({
  start,
  onChoose,
  onClose,
}: {
  start: string | null
  onChoose: (path: string) => void
  onClose: () => void
}): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [path, setPath] = useState(start)
  const listing = useCall('folders.browse', { path }, { keepPrevious: true })
  const shown = listing.data
  return (
    <Dialog
      title={t('folders.browseTitle')}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={!shown || listing.isError}
            onPress={() => shown && onChoose(shown.path)}
          >
            {t('folders.useThis')}
          </Button>
        </>
      }
    >
      <div className="browse">
        <div className="browse__path">
          <Button
            icon="up"
            variant="quiet"
            isDisabled={!shown?.parent && !listing.isError}
            onPress={() => setPath(listing.isError ? null : (shown?.parent ?? null))}
          >
            {t('folders.up')}
          </Button>
          <span className="ellipsis" title={shown?.path}>
            {shown?.path}
          </span>
        </div>
        {listing.isError && <Callout kind="bad">{errorSentence(listing.error)}</Callout>}
        <GridList
          className="browse__list"
          aria-label={t('folders.browseTitle')}
          items={(shown?.directories ?? []).map((directory) => ({ ...directory, id: directory.path }))}
          onAction={(key) => setPath(String(key))}
          renderEmptyState={() => <p className="browse__empty">{shown ? t('folders.noSubfolders') : ''}</p>}
        >
          {(directory) => (
            <GridListItem id={directory.id} textValue={directory.name} className="browse__item">
              <Icon name="folder" />
              <span className="ellipsis" title={directory.name}>
                {directory.name}
              </span>
              <Icon name="right" size={12} />
            </GridListItem>
          )}
        </GridList>
      </div>
    </Dialog>
  )
}
