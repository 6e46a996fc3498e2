"""Words that stand in every text and so tell nothing about what it is about; in lower case, without accents."""

_ENGLISH = """
a about above after again against all also although am among an and another any are around as at be because been
before being below between both but by can cannot could did do does doing down during each either etc every few for
from further had has have having he her here hers herself him himself his how however i if in into is it its itself
just let many may me might more most much must my myself neither no nor not now of off on once one only onto or
other our ours out over own per rather same shall she should since so some such than that the their theirs them
themselves then there these they this those though through thus to too toward towards under until up upon us very
was we were what when where whether which while who whom whose why will with within without would yes yet you your
yours yourself nd rd st th
"""
_GERMAN = """
ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bereits
bin bis bist da dabei dadurch dafur dagegen daher damit danach dann daran darauf daraus darin darum das dass dazu
dein deine dem den denen denn der deren derer des dessen die dies diese diesem diesen dieser dieses doch dort du
durch ein eine einem einen einer eines einige er es etwa etwas euch euer fur gegen gewesen hab habe haben hat hatte
hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder
jedes jedoch kann kein keine keinem keinen keiner konnen konnte machen man mehr mein meine mit muss mussen nach
nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen
sollte sondern sonst sowie uber um und uns unser unter viel vom von vor wahrend war waren warum was weg weil wenn
wer werde werden wie wieder will wir wird wirst wo wollen worden wurde wurden zu zum zur zwar zwischen
"""
# They stand within the names of people and places, in texts of any language.
_OF_NAMES = "al da das de del della des di do dos du e el en et het la las le les los un una une van von y"
STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN} {_OF_NAMES}".split())
