/**
 * English and other common names of subdivisions that ISO 3166-2 lists in the local language only, by
 * country: code, then names as `plainName` makes them. Reviewed against ISO 3166-2 and the names in
 * the data of DB-IP; Norway's counties have the codes of 2024, which the iso-3166 package lacks.
 */
const ALIASES: Readonly<Record<string, string>> = {
  AE: "AJ ajman; AZ abu dhabi; DU dubai; FU fujairah; RK ras al khaimah; SH sharjah; UQ umm al quwain",
  AL: "02 durres; 06 korce; 07 kukes; 08 lezhe; 09 diber; 10 shkoder; 11 tirana; 12 vlora | vlore",
  AM: "AG aragatsotn; ER yerevan; GR gegharkunik; LO lori; SH shirak; SU syunik; TV tavush; VD vayots dzor",
  AR: "B buenos aires province; C buenos aires f d | buenos aires | autonomous city of buenos aires",
  AT: "2 carinthia; 3 lower austria; 4 upper austria; 6 styria; 7 tyrol; 9 vienna | state of vienna",
  BA: "BIH federation of b h | federation of bosnia and herzegovina; BRC brcko; SRP srpska | republic of srpska",
  BE: "BRU brussels capital | brussels; VAN antwerp; VBR flemish brabant; VLG flanders; VOV east flanders; VWV west flanders; WAL wallonia; WBR walloon brabant",
  BG: "22 sofia grad | sofia capital; 23 sofia | sofia province",
  BH: "13 manama | capital | capital governorate; 14 southern governorate; 15 muharraq; 17 northern | northern governorate",
  BR: "DF federal district",
  BY: "BR brest | brest region; HM minsk city; HO gomel | homyel | homyel voblasc | gomel region; HR grodno | grodnenskaya | grodno region; MA mogilev | mogilev region; MI minsk | minsk region; VI vitebsk | vitebsk region",
  CH: "BE canton of bern; BL basel country; BS basel city; GE geneva; GR grisons; LU lucerne; SG saint gall | st gallen",
  CL: "AI aysen | aysen region; AR araucania; LI o higgins region | ohiggins region; MA magallanes and chilean antarctica; RM santiago metropolitan",
  CN: "GX guangxi; HK hong kong; MO macau; NM inner mongolia; NX ningxia | ningxia hui autonomous region; XJ xinjiang; XZ tibet | xizang",
  CO: "DC bogota d c | bogota; NSA north santander; SAP san andres y providencia",
  CU: "03 havana | la habana; 99 isla de la juventud",
  CY: "01 nicosia; 02 limassol; 03 larnaca; 04 famagusta; 05 paphos; 06 kyrenia | keryneia",
  CZ: "10 prague | hlavni mesto praha; 20 central bohemia | central bohemian region; 31 south bohemian region | south bohemian; 32 plzen region | plzen; 41 carlsbad region | karlovy vary region; 42 usti nad labem region | ustecky kraj; 51 liberec region | liberec; 52 hradec kralove region; 53 pardubice region | pardubice; 63 vysocina | vysocina region; 64 south moravian | south moravian region; 71 olomouc region | olomouc; 72 zlin | zlin region; 80 moravian silesian region | moravian silesian",
  DE: "BE land berlin | state of berlin; BY bavaria; HB free hanseatic city of bremen | bremen; HE hesse; HH free and hanseatic city of hamburg; MV mecklenburg western pomerania; NI lower saxony; NW north rhine westphalia; RP rhineland palatinate; SN saxony; ST saxony anhalt; TH thuringia",
  DK: "81 north denmark | north denmark region; 82 central jutland | central denmark | central denmark region; 83 south denmark | southern denmark | region of southern denmark; 84 capital region | capital region of denmark; 85 zealand | region zealand",
  EE: "37 harju | harju county; 39 hiiu county; 45 ida viru county; 50 jogeva county; 52 jarva county; 56 laane county; 60 laane viru county; 64 polva county; 68 parnu county; 71 rapla county; 74 saare county; 79 tartu | tartu county; 81 valga county; 84 viljandi county; 87 voru county",
  EG: "ALX alexandria; ASN aswan; AST asyut; BA red sea; BH beheira; BNS beni suweif; C cairo; DK dakahlia; DT damietta; FYM faiyum; GH gharbia; GZ giza; IS ismailia; JS south sinai; KB qalyubia; KFS kafr el sheikh; KN qena; LX luxor; MN minya; MNF monufia; MT matruh; PTS port said; SHG sohag; SHR sharqia; SIN north sinai; SUZ suez; WAD new valley",
  ES: "AN andalusia; AS asturias | principality of asturias; CL castille and leon | castile and leon; CM castille la mancha | castile la mancha; CN canary islands; CT catalonia; IB balearic islands; MC murcia | region of murcia; MD madrid | community of madrid; NC navarre | chartered community of navarre; PV basque country; VC valencia | valencian community",
  FI: "01 aland; 02 south karelia; 03 south ostrobothnia; 04 south savo; 06 kanta hame; 07 central ostrobothnia; 08 central finland; 10 lapland; 11 tampere; 12 ostrobothnia; 13 north karelia; 14 north ostrobothnia; 15 north savo; 19 southwest finland",
  FR: "20R corsica; ARA auvergne rhone alpes; BRE brittany; CVL centre | centre val de loire; NAQ new aquitaine; NOR normandy; PAC provence | provence alpes cote d azur",
  GR: "69 mount athos; A east macedonia and thrace | eastern macedonia and thrace; B central macedonia | central macedonia region; C west macedonia | western macedonia; D epirus; E thessaly; F ionian islands; G west greece | western greece; H central greece; I attica; J peloponnese; K north aegean; L south aegean; M crete",
  HR: "01 zagreb county; 02 krapina zagorje; 03 sisak moslavina; 04 karlovac; 05 varazdin; 06 koprivnica krizevci; 07 bjelovar bilogora; 08 primorje gorski kotar; 09 lika senj; 10 virovitica podravina; 11 pozega slavonia; 12 brod posavina; 13 zadar; 14 county of osijek baranja | osijek baranja; 15 sibenik knin; 16 vukovar srijem; 17 split dalmatia; 18 istria | istarska; 19 dubrovnik neretva; 20 medimurje; 21 zagreb | city of zagreb",
  HU: "CS csongrad | csongrad csanad county; VE veszprem | veszprem county",
  ID: "BB bangka belitung islands | bangka belitung; JB west java; JI east java; JK jakarta; JT central java; KB west kalimantan; KI east kalimantan; KR riau islands; KS south kalimantan; KT central kalimantan; KU north kalimantan; MA maluku; MU north maluku; NB west nusa tenggara; NT east nusa tenggara; PA papua; PB west papua; PD southwest papua; PE highland papua; PS south papua; PT central papua; SA north sulawesi; SB west sumatra; SG southeast sulawesi; SN south sulawesi; SR west sulawesi; SS south sumatra; ST central sulawesi; SU north sumatra; YO special region of yogyakarta",
  IL: "D southern district; HA haifa | haifa district; JM jerusalem | jerusalem district; M central district; TA tel aviv | tel aviv district; Z northern district",
  IN: "DH dadra and nagar haveli and daman and diu; DL national capital territory of delhi; OD orissa; PY puducherry | pondicherry; UK uttaranchal",
  IQ: "AN al anbar; BA basra; BB babylon; BG baghdad; DI diyala; DQ dhi qar; KA karbala; KI kirkuk; MA maysan; MU al muthanna; NA najaf; NI nineveh; QA al qadisiyyah; SD saladin; WA wasit",
  IR: "03 east azerbaijan; 04 west azerbaijan; 09 razavi khorasan; 10 isfahan; 11 sistan and baluchestan; 12 kurdistan; 13 hamadan; 14 chaharmahal and bakhtiari; 15 lorestan; 17 kohgiluyeh and boyer ahmad; 28 north khorasan; 29 south khorasan",
  IS: "1 capital region; 2 southern peninsula; 3 west; 4 westfjords; 5 northwest; 6 northeast; 7 east; 8 south",
  IT: "21 piedmont; 23 aosta valley | valle d aosta; 25 lombardy; 32 trentino alto adige | trentino south tyrol; 36 friuli venezia giulia; 52 tuscany; 57 the marches | marche; 62 latium; 75 apulia; 77 basilicate; 82 sicily; 88 sardinia",
  JP: "01 hokkaido; 07 fukushima; 09 tochigi; 12 chiba; 17 ishikawa; 18 fukui; 19 yamanashi; 21 gifu; 22 shizuoka; 23 aichi; 25 shiga; 32 shimane; 33 okayama; 34 hiroshima; 35 yamaguchi; 36 tokushima; 39 kochi; 40 fukuoka; 46 kagoshima",
  KR: "11 seoul; 26 busan; 41 gyeonggi; 42 gangwon; 43 north chungcheong; 44 south chungcheong; 45 north jeolla | jeonbuk; 46 south jeolla; 47 north gyeongsang; 48 south gyeongsang; 49 jeju; 50 sejong si",
  KZ: "11 akmola | aqmola; 15 aktobe | aqtobe; 19 almaty oblysy | almaty region; 23 atyrau; 27 west kazakhstan; 31 jambyl; 35 karaganda | karaganda region; 39 kostanay | qostanay; 43 kyzylorda; 47 mangystau; 59 north kazakhstan; 61 turkistan; 63 east kazakhstan; 71 nur sultan; 75 almaty; 79 shymkent",
  LB: "AK akkar; AS north | north governorate; BA beirut; BH baalbek hermel; BI bekaa; JA south | south governorate; JL mount lebanon; NA nabatieh",
  LK: "1 western | western province; 2 central | central province; 3 southern | southern province; 4 northern | northern province; 5 eastern | eastern province; 6 north western | north western province; 7 north central | north central province; 8 uva | uva province; 9 sabaragamuwa | sabaragamuwa province",
  LT: "AL alytus; KL klaipeda; KU kaunas; MR marijampole; PN panevezys; SA siauliai; TA taurage; TE telsiai; UT utena; VL vilnius",
  MA: "01 tanger tetouan al hoceima; 02 oriental; 03 fez meknes; 04 rabat sale kenitra; 06 casablanca settat; 07 marrakesh safi; 10 guelmim oued noun; 11 laayoune sakia el hamra; 12 dakhla oued ed dahab",
  MX: "CMX mexico city; COA coahuila; MEX state of mexico | mexico | estado de mexico; MIC michoacan; VER veracruz",
  MY: "04 malacca; 07 penang; 14 kuala lumpur; 15 labuan; 16 putrajaya | federal territory of putrajaya",
  NG: "FC fct | federal capital territory | abuja",
  NL: "FR friesland | frisia; NB north brabant; NH north holland; ZH south holland",
  NO: "31 ostfold; 32 akershus; 33 buskerud; 39 vestfold; 40 telemark; 55 troms | troms county; 56 finnmark",
  NZ: "MWT manawatu wanganui | manawatu whanganui; WGN wellington | wellington region",
  OM: "BJ south batinah; BS north batinah; DA ad dakhiliyah; MA muscat; ZU dhofar",
  PE: "CAL callao; CUS cuzco | cuzco department; LMA lima province | provincia de lima",
  PH: "15 cordillera",
  PK: "BA balochistan; IS islamabad | islamabad capital territory; JK azad kashmir | azad jammu and kashmir; KP khyber pakhtunkhwa; PB punjab",
  PL: "02 lower silesia; 04 kujawsko pomorskie | kuyavian pomeranian; 06 lublin | lublin voivodeship; 08 lubusz; 10 lodz voivodeship | lodz; 12 lesser poland; 14 mazovia | mazovian; 16 opole voivodeship | opole; 18 subcarpathia; 20 podlasie; 22 pomerania; 24 silesia; 26 swietokrzyskie | holy cross; 28 warmia masuria; 30 greater poland; 32 west pomerania",
  PT: "11 lisbon; 13 oporto; 20 azores; 30 madeira",
  QA: "DA baladiyat ad dawhah | doha; KH al khor; RA baladiyat ar rayyan; US umm salal; WA al wakrah; ZA al daayen",
  RO: "B bucharest | municipiul bucuresti",
  RS: "00 belgrade; VO autonomna pokrajina vojvodina",
  RU: "AD adygeya; AL altai republic; ALT altay kray | altai krai; BA bashkortostan; BU buryatia; CE chechnya; CHE chelyabinsk; CHU chukotka; CU chuvashia; IN ingushetia; KAM kamchatka; KB kabardino balkariya republic | kabardino balkaria; KC karachayevo cherkesiya republic; KEM kuzbass; KGN kurgan oblast; KHA khabarovsk; KHM khanty mansia; KK khakassia; KL kalmykia; KLU kaluga oblast | kaluga; KOS kostroma oblast | kostroma; KR karelia; LEN leningrad oblast | leningradskaya; MOS moscow oblast; MOW moscow | moscow city; NEN nenets; NGR novgorod oblast; NIZ nizhny novgorod oblast | nizhny novgorod; ORL orel oblast | oryol oblast; PNZ penza oblast | penza; PRI primorye | primorskiy; ROS rostov; SA sakha | yakutia; SAM samara oblast | samara; SE north ossetia; SPE st petersburg | saint petersburg; TUL tula oblast | tula; UD udmurtiya republic | udmurtia; VLG vologda oblast | vologda; VOR voronezh oblast; YAN yamalo nenets; YEV jewish autonomous oblast; ZAB transbaikal",
  SA: "01 riyadh | riyadh region; 02 mecca region | makkah; 03 medina region; 04 eastern province; 05 al qassim region | al qassim; 06 hail; 08 northern borders; 09 jazan; 10 najran; 11 al bahah region; 12 al jouf; 14 aseer | asir",
  SE: "AB stockholm | stockholm county; AC vasterbotten | vasterbotten county; BD norrbotten; C uppsala; D sodermanland | sodermanland county; E ostergotland | ostergotland county; F jonkoping | jonkoping county; G kronoberg | kronoberg county; H kalmar; I gotland | gotland county; K blekinge; M skane | skane county; N halland | halland county; O vastra gotaland | vastra gotaland county; S varmland | varmland county; T orebro; U vastmanland | vastmanland county; W dalarna | dalarna county; X gavleborg | gavleborg county; Y vasternorrland | vasternorrland county; Z jamtland | jamtland county",
  SK: "BC banska bystrica region; BL bratislava region | bratislava; KI kosice region; NI nitra region; PV presov region; TA trnava region; TC trencin region; ZI zilina region",
  SY: "DI damascus | damascus governorate; DR daraa; DY deir ez zor; HA al hasakah; HI homs; HL aleppo; HM hama; LA latakia; QU quneitra; RA raqqa; RD rif dimashq; SU as suwayda; TA tartus",
  TH: "10 bangkok; 14 phra nakhon si ayutthaya | ayutthaya; 82 phang nga; S pattaya",
  TN: "12 ariana governorate | ariana | aryanah; 14 manouba | manubah; 33 kef; 81 gabes; 82 medenine",
  TR: "03 afyonkarahisar | afyon; 06 ankara; 33 mersin province | mersin; 34 istanbul; 35 izmir; 46 kahramanmaras; 63 sanliurfa",
  UA: "05 vinnytsia | vinnytsya; 07 volyn; 09 luhansk; 12 dnipropetrovsk; 14 donetsk; 18 zhytomyr; 21 zakarpattia; 23 zaporizhzhia; 30 kyiv city | misto kyiv | kiev | kyiv; 32 kyiv oblast | kiev oblast; 35 kirovohrad; 40 sevastopol city; 43 crimea | autonomous republic of crimea; 51 odesa | odessa | odesa oblast; 53 poltava; 56 rivne; 59 sumy; 61 ternopil; 63 kharkiv; 65 kherson; 68 khmelnytskyi; 71 cherkasy; 74 chernihiv; 77 chernivtsi",
  UZ: "AN andijan; BU bukhara; FA fergana; KA karakalpakstan; NG namangan; QA qashqadaryo; QR karakalpakstan; SA samarqand region | samarkand; TK tashkent; TO tashkent region; XO xorazm",
  VE: "A distrito federal | capital district; X estado la guaira | vargas | la guaira",
  VN: "26 thua thien hue; 43 ba ria vung tau; 47 kien giang; CT can tho city; DN da nang city | da nang; HN hanoi; HP haiphong; SG ho chi minh city hcmc | ho chi minh city | ho chi minh",
  ZA: "GP gauteng province; KZN kwazulu natal; NW north west",
};

/** Codes by country and plain name. */
export const REGION_ALIASES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(ALIASES).map(([country, text]) => [country, parse(text)]),
);

function parse(text: string): Map<string, string> {
  return new Map(
    text.split("; ").flatMap((entry) => {
      const space = entry.indexOf(" ");
      const code = entry.slice(0, space);
      return entry
        .slice(space + 1)
        .split(" | ")
        .map((name) => [name, code] as const);
    }),
  );
}
