/**
 * Words that guidance on code is full of, though news and encyclopedias are not: how often, in a thousand words. Sharing
 * one of them says little about two texts.
 */
export const commonInReviews: readonly (readonly [perThousand: number, words: string])[] = [
  [6, 'use code add make need test check change new function value file'],
  [
    3,
    'avoid prefer ensure require return call set type name method class data user case error instead keep write read',
  ],
  [
    1.5,
    `handle create update remove delete return provide follow consider work run line time way review object string list
    variable parameter argument field result project service request response query table message module
    component api server client application app system implementation implement logic example explicit explicitly
    allow support contain include define different same existing current first last number
    help want know see look think good better best right wrong sure correct properly proper simple clear
    possible available important specific certain general common multiple single
    pass take give show find move start stop end place part point item
    fix issue problem bug feature pr rule pattern convention standard style
    developer team reader reviewer author someone`,
  ],
]
