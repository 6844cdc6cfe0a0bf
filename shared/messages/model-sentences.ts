import type { ErrorCode } from '../domain/errors.ts'

/**
 * What a person reads about agents and models that are asked (spec, Errors, «Proxy error format»): part of
 * `sentences.ts`.
 */
export const modelSentences = {
  agent_private: {
    en: 'The agent “{agent}” is private. Give it the visibility Organization or Public to ask it here.',
    de: 'Der Agent „{agent}“ ist privat. Geben Sie ihm die Sichtbarkeit Organization oder Public, um ihn hier zu fragen.',
    fr: 'L’agent « {agent} » est privé. Donnez-lui la visibilité Organization ou Public pour l’interroger ici.',
  },
  model_not_found: {
    en: 'The service does not know the model “{model}”. Choose one from its list.',
    de: 'Der Dienst kennt das Modell „{model}“ nicht. Wählen Sie eines aus seiner Liste.',
    fr: 'Le service ne connaît pas le modèle « {model} ». Choisissez-en un dans sa liste.',
  },
  unsupported_parameter: {
    en: 'The service does not support a setting of this request ({detail}).',
    de: 'Der Dienst unterstützt eine Einstellung dieser Anfrage nicht ({detail}).',
    fr: 'Le service ne prend pas en charge un réglage de cette demande ({detail}).',
  },
  invalid_value: {
    en: 'The service does not accept a value of this request ({detail}).',
    de: 'Der Dienst nimmt einen Wert dieser Anfrage nicht an ({detail}).',
    fr: 'Le service refuse une valeur de cette demande ({detail}).',
  },
  invalid_request: {
    en: 'The service does not accept this request ({detail}).',
    de: 'Der Dienst nimmt diese Anfrage nicht an ({detail}).',
    fr: 'Le service refuse cette demande ({detail}).',
  },
  no_such_endpoint: {
    en: '{host} does not offer this under its address. Check the address of the connection.',
    de: '{host} bietet das unter seiner Adresse nicht an. Prüfen Sie die Adresse der Verbindung.',
    fr: '{host} ne propose pas cela à cette adresse. Vérifiez l’adresse de la connexion.',
  },
  missing_content_length: {
    en: 'The service wants to know the length of the request, and something on the way took it out. Check the proxy between this computer and {host}.',
    de: 'Der Dienst will die Länge der Anfrage wissen, und etwas auf dem Weg hat sie entfernt. Prüfen Sie den Proxy zwischen diesem Computer und {host}.',
    fr: 'Le service exige la longueur de la demande, et un intermédiaire l’a retirée. Vérifiez le proxy entre cet ordinateur et {host}.',
  },
  request_too_large: {
    en: 'The request is larger than the service takes (2 MB). Ask with less text.',
    de: 'Die Anfrage ist größer, als der Dienst annimmt (2 MB). Fragen Sie mit weniger Text.',
    fr: 'La demande dépasse ce que le service accepte (2 Mo). Réduisez le texte.',
  },
  concurrent_limit_exceeded: {
    en: 'The service is writing as many answers as the account may have at once. Ask again when one is finished.',
    de: 'Der Dienst schreibt gerade so viele Antworten, wie das Konto auf einmal haben darf. Fragen Sie wieder, wenn eine fertig ist.',
    fr: 'Le service rédige déjà autant de réponses que le compte en permet à la fois. Réessayez quand l’une sera terminée.',
  },
  service_internal: {
    en: 'Something failed inside the service, and asking again is unlikely to help. Tell whoever runs {host}.',
    de: 'Im Dienst ist etwas fehlgeschlagen, und erneutes Fragen hilft kaum. Sagen Sie es, wer {host} betreibt.',
    fr: 'Une erreur interne s’est produite dans le service ; réessayer n’aidera sans doute pas. Prévenez qui gère {host}.',
  },
  model_failed: {
    en: 'The model answered with an error. Ask again, or choose another model.',
    de: 'Das Modell hat mit einem Fehler geantwortet. Fragen Sie noch einmal, oder wählen Sie ein anderes Modell.',
    fr: 'Le modèle a répondu par une erreur. Réessayez ou choisissez un autre modèle.',
  },
  model_unavailable: {
    en: 'The model is not available at the moment. Try again in a little while.',
    de: 'Das Modell ist im Augenblick nicht verfügbar. Versuchen Sie es in Kürze wieder.',
    fr: 'Le modèle est indisponible pour le moment. Réessayez dans un instant.',
  },
  model_timeout: {
    en: 'The model did not answer in time. Ask again, or choose a smaller model.',
    de: 'Das Modell hat nicht rechtzeitig geantwortet. Fragen Sie noch einmal, oder wählen Sie ein kleineres Modell.',
    fr: 'Le modèle n’a pas répondu à temps. Réessayez ou choisissez un modèle plus petit.',
  },
  model_key_refused: {
    en: '{host} does not accept the key. Type it again, or ask whoever runs that server.',
    de: '{host} nimmt den Schlüssel nicht an. Geben Sie ihn neu ein oder fragen Sie, wer den Server betreibt.',
    fr: '{host} refuse la clé. Saisissez-la à nouveau ou demandez à qui gère ce serveur.',
  },
  no_model_server: {
    en: 'No model server is named on this computer. Name one in the settings, or choose a platform account.',
    de: 'Auf diesem Computer ist kein Modellserver genannt. Nennen Sie einen in den Einstellungen, oder wählen Sie ein Plattformkonto.',
    fr: 'Aucun serveur de modèles n’est indiqué sur cet ordinateur. Indiquez-en un dans les réglages, ou choisissez un compte de plateforme.',
  },
  answer_incomplete: {
    en: 'The answer broke off before its end. What came is kept; it may be billed.',
    de: 'Die Antwort brach vor ihrem Ende ab. Was kam, ist aufgehoben; sie kann berechnet werden.',
    fr: 'La réponse s’est interrompue avant la fin. Ce qui est arrivé est conservé ; elle peut être facturée.',
  },
} as const satisfies Partial<Record<ErrorCode, { en: string; de: string; fr: string }>>
