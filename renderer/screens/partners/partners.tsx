import { useState } from 'react'
import type { ReactNode } from 'react'
import { comparableCode, comparableName } from '../../../shared/domain/partner.ts'
import type { Partner } from '../../../shared/domain/partner.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button, IconButton, TextField } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { ImportButton } from './import-button.tsx'
import { PartnerDialog } from './partner-dialog.tsx'
import { shownAccount } from './shown-account.ts'

/** As many as are shown at once: a search finds the others. */
const maxShown = 200

type Open = { kind: 'edit'; partner: Partner | null; isOwn?: true } | { kind: 'remove'; partner: Partner }

/** The senders that the office knows, and its own companies. */
export function PartnersScreen(): ReactNode {
  const { t } = useLanguage()
  const partners = useCall('partners.list', {}).data?.partners
  const [open, setOpen] = useState<Open | null>(null)
  const [sought, setSought] = useState('')
  const buttons = (
    <>
      <ImportButton />
      <Button variant="primary" icon="plus" onPress={() => setOpen({ kind: 'edit', partner: null })}>
        {t('partners.add')}
      </Button>
    </>
  )
  const ownButton = (
    <Button onPress={() => setOpen({ kind: 'edit', partner: null, isOwn: true })}>{t('partners.addOwn')}</Button>
  )
  return (
    <div className="screen">
      <PageHead title={t('partners.title')}>{partners !== undefined && partners.length > 0 && buttons}</PageHead>
      {partners?.length === 0 && (
        <EmptyState icon="partner" title={t('partners.none')} text={t('partners.noneText')}>
          {buttons}
          {ownButton}
        </EmptyState>
      )}
      {partners !== undefined && partners.length > 0 && (
        <div className="screen__scroll partners">
          <p className="hint">{t('partners.text')}</p>
          {!partners.some(({ isOwn }) => isOwn) && (
            <Callout kind="info" action={ownButton}>
              {t('partners.ownMissing')}
            </Callout>
          )}
          <TextField
            label={t('partners.search')}
            labelHidden
            placeholder={t('partners.search')}
            value={sought}
            onChange={setSought}
          />
          <PartnerTable partners={partners} sought={sought} onOpen={setOpen} />
        </div>
      )}
      {open?.kind === 'edit' && (
        <PartnerDialog partner={open.partner} isOwn={open.isOwn} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'remove' && <RemoveDialog partner={open.partner} onClose={() => setOpen(null)} />}
    </div>
  )
}

function RemoveDialog({ partner: { id, name }, onClose }: { partner: Partner; onClose: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const remove = useAction('partners.remove')
  return (
    <Confirm
      title={t('partners.removeTitle', { name })}
      confirm={t('partners.removeConfirm')}
      danger
      onConfirm={() => remove.mutate({ id }, { onError: (error) => notify('problem', errorSentence(error)) })}
      onClose={onClose}
    >
      <p>{t('partners.removeText')}</p>
    </Confirm>
  )
}

type TableProps = { partners: readonly Partner[]; sought: string; onOpen: (open: Open) => void }

function PartnerTable({ partners, sought, onOpen }: TableProps): ReactNode {
  const { t, formats } = useLanguage()
  const found = partners.filter((partner) => isSought(partner, sought))
  const more = found.length - maxShown
  if (found.length === 0) return <p className="hint">{t('partners.notFound')}</p>
  return (
    <>
      <div className="partners__scroll" role="region" aria-label={t('partners.title')} tabIndex={0}>
        <table className="partners__table">
          <caption className="visually-hidden">{t('partners.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('partners.name')}</th>
              <th scope="col">{t('partners.vatId')}</th>
              <th scope="col">{t('partners.accounts')}</th>
              <th scope="col">{t('partners.number')}</th>
              <th scope="col">{t('partners.bookAccount')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {found.slice(0, maxShown).map((partner) => (
              <PartnerLine key={partner.id} partner={partner} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="hint">{t('partners.more', { count: more, shown: formats.count(more) })}</p>}
    </>
  )
}

function PartnerLine({ partner, onOpen }: { partner: Partner; onOpen: (open: Open) => void }): ReactNode {
  const { t } = useLanguage()
  const { name, vatId, accounts, number, bookAccount, isOwn } = partner
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi> {isOwn && <span className="chip">{t('partners.ownChip')}</span>}
      </th>
      <td className="tabular">{vatId}</td>
      <td className="tabular">
        {accounts.map((iban) => (
          <div key={iban}>{shownAccount(iban)}</div>
        ))}
      </td>
      <td>{number}</td>
      <td>{bookAccount}</td>
      <td className="partners__actions">
        <Button
          variant="quiet"
          ariaLabel={`${t('partners.edit')}: ${name}`}
          onPress={() => onOpen({ kind: 'edit', partner })}
        >
          {t('partners.edit')}
        </Button>
        <IconButton
          icon="trash"
          label={t('partners.remove', { name })}
          onPress={() => onOpen({ kind: 'remove', partner })}
        />
      </td>
    </tr>
  )
}

/** Found by its name, or by the letters and digits of one of its numbers. */
function isSought({ name, vatId, accounts, number, bookAccount }: Partner, sought: string): boolean {
  if (sought.trim() === '') return true
  const code = comparableCode(sought)
  return (
    name.toLowerCase().includes(sought.trim().toLowerCase()) ||
    comparableName(name).includes(comparableName(sought)) ||
    (code !== '' && [vatId, ...accounts, number, bookAccount].some((each) => comparableCode(each).includes(code)))
  )
}
