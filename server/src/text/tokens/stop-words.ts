/** Words that tell nothing about what a text is about, folded or not. */
export const stopWords: ReadonlySet<string> = new Set(
  `
a an the this that these those there here it its itself he she they them their theirs his her hers him we us our ours you
your yours i me my mine myself yourself ourselves themselves who whom whose which what when where why how
and or but nor so yet if then else than as because since while although though unless until whether either neither both
of in on at by to from for with without within into onto upon about above below under over between among through during
before after against toward towards via per off out up down again further once
is are was were be been being am do does did doing done have has had having can could will would shall should may might
must ought cannot don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn mustn needn ain ll ve re
not no never only also too very just even still already always often sometimes ever almost quite rather really
all any each every some few many much more most other others another such own same several
get gets got go goes going let lets put seem seems
please thank thanks yes ok okay etc eg ie vs whatever whenever wherever however therefore thus hence otherwise instead
one ones two thing things something anything everything nothing someone anyone everyone way ways
like well now
`
    .trim()
    .split(/\s+/),
)
