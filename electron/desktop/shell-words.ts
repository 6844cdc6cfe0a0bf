import type { Locale } from '../../shared/messages/sentences.ts'
import type { Activity, Notice } from './activity.ts'

type Text = { title: string; body: string }

type ShellWords = {
  /** One line that says what Sheaf is doing. */
  status: (activity: Activity) => string
  attention: (count: number) => string
  open: string
  review: string
  settings: string
  pause: string
  resume: string
  quit: string
  notice: (notice: Notice) => Text
  /** Told once, when the window is closed for the first time. */
  staysOpen: Text
}

function wordsIn(locale: Locale, texts: Texts): ShellWords {
  const numbers = new Intl.NumberFormat(locale)
  const plural = new Intl.PluralRules(locale)
  const counted = (forms: Forms, count: number): string =>
    fill(forms[plural.select(count) === 'one' ? 0 : 1], numbers.format(count))
  const { status, notices, here, ...rest } = texts
  const stoppedAt = (connection: string | null): string => fill(status.stopped, connection ?? here)
  return {
    ...rest,
    attention: (count) => counted(texts.attention, count),
    status: ({ isStorageTrouble, stopped: [stopped], isPaused, progress }) => {
      if (isStorageTrouble) return status.storage
      if (stopped !== undefined) return stoppedAt(stopped)
      if (isPaused) return status.paused
      if (progress === null) return status.idle
      return fill(status.progress, numbers.format(progress.settled), numbers.format(progress.total))
    },
    notice: (notice) => {
      if (notice.kind === 'storage') return { title: status.storage, body: notices.storage }
      if (notice.kind === 'stopped') return { title: stoppedAt(notice.connection), body: notices.stopped }
      const parts = [counted(notices.documents, notice.documents)]
      if (notice.attention > 0) parts.push(counted(texts.attention, notice.attention))
      return { title: notices.done, body: parts.join(' ') }
    },
  }
}

/** Puts values in the places of `#`, in their order. */
function fill(text: string, ...values: string[]): string {
  return text.replaceAll('#', () => values.shift() ?? '')
}

/** For one and for several. */
type Forms = [string, string]
type Texts = Omit<ShellWords, 'status' | 'attention' | 'notice'> & {
  attention: Forms
  /** The connection to this computer. */
  here: string
  status: Record<'idle' | 'paused' | 'progress' | 'stopped' | 'storage', string>
  notices: { done: string; documents: Forms; stopped: string; storage: string }
}

/** What Sheaf says outside of its window: in the tray, the dock, the jump list and notifications. */
export const shellWords: Record<Locale, ShellWords> = {
  en: wordsIn('en', {
    attention: ['# needs a look.', '# need a look.'],
    here: 'This computer',
    open: 'Open Sheaf',
    review: 'Review',
    settings: 'Settings…',
    pause: 'Pause',
    resume: 'Resume',
    quit: 'Quit Sheaf',
    status: {
      idle: 'Waiting for documents',
      paused: 'Paused',
      progress: '# of # documents',
      stopped: '# is stopped',
      storage: 'Nothing can be stored',
    },
    notices: {
      done: 'Sheaf is done',
      documents: ['# document is read.', '# documents are read.'],
      stopped: 'The settings say why, and what to do.',
      storage: 'Nothing is sent until there is room again.',
    },
    staysOpen: {
      title: 'Sheaf goes on',
      body: 'It watches your folders while its window is closed. Its icon opens it again, and quits it.',
    },
  }),
  de: wordsIn('de', {
    attention: ['# braucht einen Blick.', '# brauchen einen Blick.'],
    here: 'Dieser Computer',
    open: 'Sheaf öffnen',
    review: 'Prüfen',
    settings: 'Einstellungen …',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    quit: 'Sheaf beenden',
    status: {
      idle: 'Wartet auf Dokumente',
      paused: 'Angehalten',
      progress: '# von # Dokumenten',
      stopped: '# ist angehalten',
      storage: 'Nichts kann gespeichert werden',
    },
    notices: {
      done: 'Sheaf ist fertig',
      documents: ['# Dokument ist gelesen.', '# Dokumente sind gelesen.'],
      stopped: 'In den Einstellungen steht, warum, und was zu tun ist.',
      storage: 'Es wird nichts gesendet, bis wieder Platz ist.',
    },
    staysOpen: {
      title: 'Sheaf läuft weiter',
      body: 'Es beobachtet Ihre Ordner, auch wenn das Fenster zu ist. Über sein Symbol wird es geöffnet und beendet.',
    },
  }),
  fr: wordsIn('fr', {
    attention: ['# à vérifier.', '# à vérifier.'],
    here: 'Cet ordinateur',
    open: 'Ouvrir Sheaf',
    review: 'Vérifier',
    settings: 'Réglages…',
    pause: 'Suspendre',
    resume: 'Reprendre',
    quit: 'Quitter Sheaf',
    status: {
      idle: 'En attente de documents',
      paused: 'Suspendu',
      progress: '# sur # documents',
      stopped: '# est arrêté',
      storage: 'Rien ne peut être enregistré',
    },
    notices: {
      done: 'Sheaf a terminé',
      documents: ['# document est lu.', '# documents sont lus.'],
      stopped: 'Les réglages disent pourquoi, et que faire.',
      storage: 'Rien n’est envoyé tant qu’il n’y a pas de place.',
    },
    staysOpen: {
      title: 'Sheaf continue',
      body: 'Il surveille vos dossiers pendant que sa fenêtre est fermée. Son icône l’ouvre et le quitte.',
    },
  }),
}
