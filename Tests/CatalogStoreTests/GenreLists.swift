/// The complete lists of the sources' genres, all of which must be known.
enum GenreLists {
  /// TMDB's nineteen genres of films, in English and Korean.
  static let tmdb = """
    Action | Adventure | Animation | Comedy | Crime | Documentary | Drama | Family | Fantasy | History | \
    Horror | Music | Mystery | Romance | Science Fiction | TV Movie | Thriller | War | Western | 액션 | 모험 | \
    애니메이션 | 코미디 | 범죄 | 다큐멘터리 | 드라마 | 가족 | 판타지 | 역사 | 공포 | 음악 | 미스터리 | 로맨스 | SF | TV 영화 | 스릴러 | 전쟁 | 서부
    """

  /// The fifteen genres of Discogs, and its styles.
  static let discogs = """
    Blues | Brass & Military | Children's | Classical | Electronic | Folk, World, & Country | Funk / Soul | \
    Hip Hop | Jazz | Latin | Non-Music | Pop | Reggae | Rock | Stage & Screen | AOR | Aboriginal | Abstract | \
    Acid | Acid House | Acid Jazz | Acid Rock | Acoustic | African | Afro-Cuban | Afro-Cuban Jazz | Afrobeat | \
    Aguinaldo | Alternative Metal | Alternative Rock | Amapiano | Ambient | Ambient House | \
    Andalusian Classical | Andean Music | Appalachian Music | Arena Rock | Art Rock | Atmospheric Black Metal | \
    Audiobook | Avant-garde Jazz | Avantgarde | Axé | Azonto | Bachata | Baila | Baião | Bakersfield Sound | \
    Balearic | Ballad | Ballroom | Baltimore Club | Bambuco | Banda | Bangladeshi Classical | Baroque | \
    Baroque Pop | Basque Music | Bass Music | Bassline | Batucada | Bayou Funk | Beat | Beatbox | Beatdown | \
    Beguine | Benga | Berlin-School | Bhangra | Big Band | Big Beat | Black Metal | Bleep | Blue-Eyed Soul | \
    Bluegrass | Blues Rock | Bolero | Bollywood | Bomba | Bongo Flava | Boogaloo | Boogie | Boogie Woogie | \
    Boom Bap | Bop | Bossa Nova | Bossanova | Bounce | Brass Band | Breakbeat | Breakcore | Breaks | Brit Pop | \
    Britcore | Broken Beat | Bubblegum | Bubbling | Cabaret | Cajun | Calypso | Cambodian Classical | Canción | \
    Candombe | Cantopop | Canzone Napoletana | Cape Jazz | Carnatic | Catalan Music | Celtic | Cha-Cha | \
    Chacarera | Chamamé | Champeta | Chanson | Charanga | Chicago Blues | Chillwave | Chinese Classical | \
    Chiptune | Choral | Choro | Chutney | City Pop | Classic Rock | Cloud Rap | Coldwave | Comedy | Compas | \
    Concert Film | Conjunto | Conscious | Contemporary | Contemporary Jazz | Contemporary R&B | Cool Jazz | \
    Copla | Corrido | Country | Country Blues | Country Rock | Coupé-Décalé | Crossover thrash | Crunk | \
    Crust | Cuatro | Cubano | Cueca | Cumbia | Currulao | Cut-up/DJ | DJ Battle Tool | Dance-pop | Dancehall | \
    Danzon | Dark Ambient | Dark Electro | Dark Jazz | Darkwave | Death Metal | Deathcore | Deathrock | \
    Deep House | Deep Techno | Delta Blues | Depressive Black Metal | Descarga | Dialogue | Disco | \
    Disco Polo | Dixieland | Donk | Doo Wop | Doom Metal | Doomcore | Downtempo | Dream Pop | Drill | Drone | \
    Drum n Bass | Dub | Dub Poetry | Dub Techno | Dubstep | Dungeon Synth | EBM | East Coast Blues | \
    Easy Listening | Education | Educational | Electric Blues | Electro | Electro House | Electro Swing | \
    Electroacoustic | Electroclash | Emo | Enka | Erotic | Ethereal | Ethno-pop | Euro House | Euro-Disco | \
    Eurobeat | Eurodance | Europop | Euskal Musika | Exotica | Experimental | Fado | Favela Funk | \
    Field Recording | Flamenco | Florida Breaks | Folk | Folk Metal | Folk Rock | Footwork | Forró | Fox-Trot | \
    Free Funk | Free Improvisation | Free Jazz | Freestyle | Freetekno | Funaná | Funk | Funk Metal | Funkot | \
    Funeral Doom Metal | Fusion | Future Bass | Future House | Future Jazz | G-Funk | Gabber | \
    Galician Traditional | Gamelan | Gangsta | Garage House | Garage Rock | Ghazal | Ghetto | Ghetto House | \
    Ghettotech | Glam | Glitch | Glitch Hop | Goa Trance | Gogo | Goregrind | Gospel | Goth Rock | \
    Gothic Metal | Gqom | Grime | Grindcore | Griot | Group Sounds | Grunge | Guaguancó | Guajira | Guaracha | \
    Guarania | Gusle | Gwo Ka | Gypsy Jazz | Han Kook Rock | Happy Hardcore | Hard Beat | Hard Bop | \
    Hard House | Hard Rock | Hard Techno | Hard Trance | Hardcore | Hardcore Hip-Hop | Hardstyle | \
    Harmonica Blues | Harsh Noise Wall | Hawaiian | Health-Fitness | Heavy Metal | Hi NRG | Highlife | \
    Hill Country Blues | Hillbilly | Hindustani | Hip-House | Hiplife | Hokkien Pop | Honky Tonk | \
    Horror Rock | Horrorcore | House | Hyper Techno | Hyphy | IDM | Illbient | Impressionist | \
    Indian Classical | Indie Pop | Indie Rock | Indo-Pop | Industrial | Industrial Metal | Instrumental | \
    Interview | Italo House | Italo-Disco | Italodance | J-Rock | J-pop | Jangle Pop | Jazz-Funk | Jazz-Rock | \
    Jazzdance | Jazzy Hip-Hop | Jersey Club | Jibaro | Joropo | Jota | Juke | Jump Blues | Jumpstyle | Jungle | \
    Junkanoo | K-Rock | K-pop | Karaoke | Kaseko | Kayōkyoku | Keroncong | Kizomba | Klasik | Klezmer | \
    Krautrock | Kuduro | Kwaito | Lambada | Laïkó | Latin Jazz | Latin Pop | Leftfield | Light Music | Lo-Fi | \
    Louisiana Blues | Lounge | Lovers Rock | Luk Krung | Luk Thung | MPB | Maloya | Mambo | Mandopop | \
    Marches | Mariachi | Marimba | Math Rock | Mbalax | Medieval | Melodic Death Metal | Melodic Hardcore | \
    Memphis Blues | Mento | Merengue | Metalcore | Miami Bass | Military | Min'yō | Minimal | Minimal Techno | \
    Minneapolis Sound | Mizrahi | Mo Lam | Mod | Modal | Modern | Modern Classical | Modern Electric Blues | \
    Monolog | Mor Lam | Moravian Folk Music | Motswako | Mouth Music | Movie Effects | Mugham | Music Hall | \
    Musette | Musical | Musique Concrète | Música Criolla | NDW | Ndombolo | Neo Soul | Neo Trance | \
    Neo-Classical | Neo-Romantic | Neofolk | Nerdcore Techno | New Age | New Beat | New Jack Swing | New Wave | \
    Nhạc Vàng | Ninna Nanna | No Wave | Noise | Noisecore | Nordic | Norteño | Novelty | Nu Metal | Nu-Disco | \
    Nueva Cancion | Nueva Trova | Nursery Rhymes | Occitan | Oi | Ottoman Classical | Opera | Operetta | \
    Oratorio | Overtone Singing | P.Funk | Pachanga | Pacific | Parody | Pasodoble | Persian Classical | \
    Philippine Classical | Phleng Phuea Chiwit | Phonk | Piano Blues | Pibroch | Piedmont Blues | \
    Piobaireachd | Pipe & Drum | Plena | Poetry | Political | Polka | Polyphony | Pop Punk | Pop Rap | \
    Pop Rock | Pornogrind | Porro | Post Bop | Post Rock | Post-Grunge | Post-Hardcore | Post-Metal | \
    Post-Modern | Post-Punk | Power Electronics | Power Metal | Power Pop | Powerviolence | Prog Rock | \
    Progressive Bluegrass | Progressive Breaks | Progressive House | Progressive Metal | Progressive Trance | \
    Promotional | Psy-Trance | Psychedelic | Psychedelic Rock | Psychobilly | Pub Rock | Public Broadcast | \
    Public Service Announcement | Punk | Qawwali | Quechua | Radioplay | Ragga | Ragga HipHop | Ragtime | \
    Ranchera | Rapso | Raï | Rebetiko | Reggae Gospel | Reggae-Pop | Reggaeton | Religious | Renaissance | \
    Rhythm & Blues | Rhythmic Noise | RnB/Swing | Rock & Roll | Rock Opera | Rockabilly | Rocksteady | Romani | \
    Romantic | Roots Reggae | Rumba | Rune Singing | Russian Pop | Ryūkōka | Salsa | Samba | Samba-Canção | \
    Sámi Music | Schlager | Score | Screamo | Screw | Sea Shanties | Sephardic | Seresta | Serial | Sermon | \
    Shaabi | Shoegaze | Ska | Skiffle | Skweee | Slowcore | Sludge Metal | Smooth Jazz | Soca | Soft Rock | \
    Son | Son Montuno | Sonero | Soukous | Soul | Soul-Jazz | Sound Art | Sound Collage | Sound Poetry | \
    Soundtrack | Southern Rock | Space Rock | Space-Age | Special Effects | Speech | Speed Garage | \
    Speed Metal | Speedcore | Spirituals | Spoken Word | Steel Band | Stoner Rock | Story | Stride | \
    Sunshine Pop | Surf | Swamp Pop | Swing | Swingbeat | Symphonic Metal | Symphonic Rock | Synth-pop | \
    Synthwave | Séga | Taarab | Tango | Tech House | Tech Trance | Technical Death Metal | Techno | Tejano | \
    Texas Blues | Thai Classical | Theme | Therapy | Thrash | Thug Rap | Timba | Toasting | Trance | Trap | \
    Tribal | Tribal House | Trip Hop | Tropical House | Trot | Trova | Turntablism | Twelve-tone | Twist | \
    UK Funky | UK Garage | UK Street Soul | Unblack Metal | V-Pop | Vallenato | Vaporwave | Vaudeville | \
    Video Game Music | Viking Metal | Villancicos | Vocal | Volksmusik | Waltz | Western Swing | Witch House | \
    Yé-Yé | Zamba | Zarzuela | Zemer Ivri | Zouk | Zydeco | Éntekhno
    """

  /// The top level of Apple's lists of music, films, books, podcasts and apps, in English and Korean.
  static let itunes = """
    Alternative | Anime | Blues | Brazilian | Children's Music | Chinese | Christian & Gospel | Classical | \
    Comedy | Country | Dance | Disney | Easy Listening | Electronic | Enka | Fitness & Workout | Folk | \
    French Pop | German Folk | German Pop | Hip-Hop/Rap | Holiday | Indian | Indo Pop | Inspirational | \
    Instrumental | J-Pop | Jazz | K-Pop | Karaoke | Kayokyoku | Korean | Latin | Latino | Marching | Metal | \
    New Age | Opera | Orchestral | Pop | R&B/Soul | Reggae | Rock | Singer/Songwriter | Soundtrack | \
    Spoken Word | Tai-Pop | Turkish | Vocal | World | Worldwide | Afrikaans | African | Arabic | Russian | \
    Cuban | Hard Rock | Foreign Cinema | Heavy Metal | Punk | Ska | 얼터너티브 | 애니메이션 | 블루스 | 브라질 음악 | 어린이 음악 | \
    중국 음악 | CCM/가스펠 | 클래식 | 코미디 | 컨트리 | 댄스 | 디즈니 | 이지 리스닝 | 일렉트로닉 | 엔카 | 피트니스 및 운동 | 포크 | 프랑스 팝 | 힙합/랩 | 힙합 | \
    랩 | 홀리데이 | 인도 음악 | 인스트루멘탈 | 연주 음악 | 재즈 | 가라오케 | 노래방 | 라틴 | 라틴 음악 | 메탈 | 뉴에이지 | 오페라 | 오케스트라 | 팝 | R&B/소울 | \
    레게 | 록 | 싱어송라이터 | 사운드트랙 | 스포큰 워드 | 보컬 | 월드 | 월드 뮤직 | 트로트 | 발라드 | 인디 음악 | 국악 | OST | 아동 음악 | 가요 | \
    Action & Adventure | Bollywood | Classics | Concert Films | Documentary | Drama | Foreign | Horror | \
    Independent | Japanese Cinema | Jidaigeki | Kids & Family | Korean Cinema | Made for TV | Middle Eastern | \
    Music Documentaries | Music Feature Films | Musicals | Regional Indian | Romance | Sci-Fi & Fantasy | \
    Short Films | Special Interest | Sports | Thriller | Tokusatsu | Urban | Western | 액션/어드벤처 | 액션 및 어드벤처 | \
    고전 | 콘서트 영화 | 다큐멘터리 | 드라마 | 외국 영화 | 해외 영화 | 공포 | 호러 | 독립 영화 | 인디 영화 | 일본 영화 | 한국 영화 | 키즈/가족 | 어린이 및 가족 | \
    TV용 영화 | 음악 다큐멘터리 | 음악 영화 | 뮤지컬 | 로맨스 | SF/판타지 | SF 및 판타지 | 단편 영화 | 특별 관심 분야 | 스포츠 | 스릴러 | 서부극 | 무협 | \
    Arts & Entertainment | Biographies & Memoirs | Business & Personal Finance | Children & Teens | \
    Comics & Graphic Novels | Computers & Internet | Cookbooks, Food & Wine | Fiction & Literature | \
    Health, Mind & Body | History | Humor | Lifestyle & Home | Mysteries & Thrillers | Nonfiction | Parenting | \
    Politics & Current Events | Professional & Technical | Reference | Religion & Spirituality | \
    Science & Nature | Sports & Outdoors | Travel & Adventure | Young Adult | Education | Manga | \
    Light Novels | Audiobooks | Books | 예술/엔터테인먼트 | 예술 및 엔터테인먼트 | 전기/회고록 | 전기 및 회고록 | 비즈니스/개인 재무 | \
    비즈니스 및 개인 금융 | 어린이/청소년 | 만화/그래픽 노블 | 만화 및 그래픽 노블 | 컴퓨터/인터넷 | 컴퓨터 및 인터넷 | 요리책, 음식 및 와인 | 소설/문학 | 소설 및 문학 | \
    건강, 마음과 신체 | 건강, 정신 및 신체 | 역사 | 유머 | 라이프스타일/가정 | 라이프스타일 및 가정 | 미스터리/스릴러 | 미스터리 및 스릴러 | 논픽션 | 육아 | 정치/시사 | \
    정치 및 시사 | 전문 기술 | 전문 및 기술 | 참고 자료 | 참고 | 종교/영성 | 종교 및 영성 | 과학/자연 | 과학 및 자연 | 스포츠/야외활동 | 스포츠 및 아웃도어 | \
    여행/모험 | 여행 및 모험 | 청소년 | 교육 | 도서 | 책 | Arts | Design | Fashion & Beauty | Food | Performing Arts | \
    Visual Arts | Business | Careers | Entrepreneurship | Investing | Management | Marketing | Non-Profit | \
    Comedy Interviews | Improv | Stand-Up | Courses | How To | Language Learning | Self-Improvement | Fiction | \
    Comedy Fiction | Science Fiction | Government | Health & Fitness | Alternative Health | Fitness | \
    Medicine | Mental Health | Nutrition | Sexuality | Education for Kids | Pets & Animals | Stories for Kids | \
    Leisure | Animation & Manga | Automotive | Aviation | Crafts | Games | Hobbies | Home & Garden | \
    Video Games | Music | Music Commentary | Music History | Music Interviews | News | Business News | \
    Daily News | Entertainment News | News Commentary | Politics | Sports News | Tech News | Buddhism | \
    Christianity | Hinduism | Islam | Judaism | Religion | Spirituality | Science | Astronomy | Chemistry | \
    Earth Sciences | Life Sciences | Mathematics | Natural Sciences | Nature | Physics | Social Sciences | \
    Society & Culture | Personal Journals | Philosophy | Places & Travel | Relationships | Baseball | \
    Basketball | Cricket | Fantasy Sports | Football | Golf | Hockey | Rugby | Running | Soccer | Swimming | \
    Tennis | Volleyball | Wilderness | Wrestling | Technology | True Crime | TV & Film | After Shows | \
    Film History | Film Interviews | Film Reviews | TV Reviews | Podcasts | 예술 | 디자인 | 패션/뷰티 | 패션 및 뷰티 | 음식 | \
    행위 예술 | 공연 예술 | 시각 예술 | 비즈니스 | 직업 | 커리어 | 창업 | 투자 | 경영 | 마케팅 | 비영리 | 코미디 인터뷰 | 즉흥 연기 | 스탠드업 | 코스 | 강좌 | \
    노하우 | 언어 학습 | 자기 계발 | 픽션 | 코미디 픽션 | 과학 소설 | SF | 정부 | 건강 및 피트니스 | 대체 의학 | 피트니스 | 의학 | 정신 건강 | 영양 | 성 | \
    키즈 및 가족 | 어린이 교육 | 반려동물 및 동물 | 어린이 동화 | 여가 | 애니메이션 및 만화 | 자동차 | 항공 | 공예 | 게임 | 취미 | 홈 및 가든 | 비디오 게임 | 음악 | \
    음악 해설 | 음악 역사 | 음악 인터뷰 | 뉴스 | 비즈니스 뉴스 | 일간 뉴스 | 엔터테인먼트 뉴스 | 뉴스 해설 | 정치 | 스포츠 뉴스 | 기술 뉴스 | 불교 | 기독교 | 힌두교 | \
    이슬람교 | 유대교 | 종교 | 영성 | 과학 | 천문학 | 화학 | 지구 과학 | 생명 과학 | 수학 | 자연 과학 | 자연 | 물리학 | 사회 과학 | 사회 및 문화 | 개인 일기 | \
    철학 | 장소 및 여행 | 인간관계 | 야구 | 농구 | 크리켓 | 판타지 스포츠 | 미식축구 | 골프 | 하키 | 럭비 | 달리기 | 축구 | 수영 | 테니스 | 배구 | 야생 | 레슬링 | \
    기술 | 실화 범죄 | 범죄 실화 | TV 및 영화 | 영화 역사 | 영화 인터뷰 | 영화 리뷰 | TV 리뷰 | 팟캐스트 | Catalogs | Developer Tools | \
    Entertainment | Finance | Food & Drink | Graphics & Design | Kids | Lifestyle | Magazines & Newspapers | \
    Medical | Navigation | Photo & Video | Productivity | Shopping | Social Networking | Travel | Utilities | \
    Weather | Action | Adventure | Board | Card | Casino | Casual | Family | Puzzle | Racing | Role Playing | \
    Simulation | Strategy | Trivia | Word | 개발자 도구 | 엔터테인먼트 | 금융 | 음식 및 음료 | 그래픽 및 디자인 | 어린이 | 라이프스타일 | \
    잡지 및 신문 | 의료 | 내비게이션 | 사진 및 비디오 | 생산성 | 쇼핑 | 소셜 네트워킹 | 여행 | 유틸리티 | 날씨 | 액션 | 어드벤처 | 보드 | 카드 | 카지노 | 캐주얼 | \
    가족 | 퍼즐 | 레이싱 | 롤플레잉 | 시뮬레이션 | 전략 | 퀴즈 | 단어
    """

  /// Genres of MusicBrainz that are frequent on records.
  static let musicBrainz = """
    abstract hip hop | acid house | acid jazz | acid techno | acid trance | acoustic | acoustic blues | \
    acoustic rock | afro house | afrobeat | afrobeats | afro-cuban jazz | afro-funk | album-oriented rock | \
    alternative country | alternative dance | alternative folk | alternative hip hop | alternative metal | \
    alternative pop | alternative punk | alternative r&b | alternative rock | ambient | ambient dub | \
    ambient house | ambient pop | ambient techno | americana | anarcho-punk | anti-folk | arena rock | \
    art pop | art punk | art rock | atmospheric black metal | atmospheric sludge metal | avant-folk | \
    avant-garde | avant-garde jazz | avant-garde metal | avant-garde pop | balearic beat | ballad | baroque | \
    baroque pop | bebop | bedroom pop | berlin school | bhangra | big band | big beat | big room house | \
    bitpop | black metal | blackgaze | blue-eyed soul | bluegrass | blues | blues rock | boogie | \
    boogie-woogie | boom bap | bossa nova | breakbeat | breakbeat hardcore | breakcore | breaks | \
    brill building | brit pop | british blues | british folk rock | british invasion | britpop | broken beat | \
    brutal death metal | bubblegum pop | cabaret | calypso | canterbury scene | cantopop | celtic | \
    celtic punk | celtic rock | chamber folk | chamber music | chamber pop | chanson | chicago blues | \
    chicago house | chill out | chillout | chillwave | chiptune | choral | christian rock | christmas music | \
    city pop | classic blues | classic country | classic rock | classical | classical crossover | \
    close harmony | cloud rap | club | cold wave | comedy | conscious hip hop | contemporary christian | \
    contemporary classical | contemporary country | contemporary folk | contemporary gospel | \
    contemporary jazz | contemporary r&b | cool jazz | country | country blues | country folk | country pop | \
    country rock | country soul | cowpunk | crossover | crossover thrash | crunk | crust punk | cumbia | \
    dance | dance-pop | dance-punk | dance-rock | dancehall | dark ambient | dark electro | dark folk | \
    dark jazz | dark wave | darkwave | death metal | death-doom metal | deathcore | deathrock | deep house | \
    delta blues | desert rock | detroit techno | digital hardcore | disco | djent | dixieland | doo-wop | \
    doom metal | downtempo | dream pop | drill | drone | drone metal | drum and bass | drumfunk | dub | \
    dub techno | dubstep | dungeon synth | east coast hip hop | easy listening | ebm | edm | electric blues | \
    electro | electro house | electro swing | electro-disco | electro-funk | electro-industrial | \
    electroacoustic | electroclash | electronic | electronic rock | electronica | electropop | electropunk | \
    emo | emo pop | ethereal | ethereal wave | euro house | euro-disco | eurobeat | eurodance | europop | \
    exotica | experimental | experimental hip hop | experimental rock | experimental electronic | fado | \
    field recording | film score | film soundtrack | filk | flamenco | folk | folk metal | folk pop | \
    folk punk | folk rock | folktronica | footwork | free folk | free improvisation | free jazz | freak folk | \
    freestyle | funk | funk metal | funk rock | funk soul | funky house | future bass | future garage | \
    future house | g-funk | gabber | gangsta rap | garage | garage house | garage punk | garage rock | \
    garage rock revival | glam metal | glam punk | glam rock | glitch | glitch hop | glitch pop | go-go | \
    goa trance | gospel | gothic | gothic country | gothic metal | gothic rock | grime | grindcore | \
    groove metal | grunge | happy hardcore | hard bop | hard house | hard rock | hard trance | hardcore | \
    hardcore hip hop | hardcore punk | hardcore techno | hardstyle | harsh noise | heartland rock | \
    heavy metal | heavy psych | hi-nrg | highlife | hip hop | hip hop soul | hip house | honky tonk | \
    horror punk | horrorcore | house | hyperpop | idm | illbient | impressionism | indie | indie electronic | \
    indie folk | indie pop | indie rock | indie surf | indietronica | industrial | industrial hip hop | \
    industrial metal | industrial rock | instrumental | instrumental hip hop | instrumental rock | \
    italo disco | italo house | j-pop | j-rock | jangle pop | jazz | jazz blues | jazz fusion | jazz pop | \
    jazz rap | jazz rock | jazz-funk | jump blues | jungle | k-pop | kayokyoku | klezmer | krautrock | latin | \
    latin jazz | latin pop | latin rock | latin soul | leftfield | liquid funk | lo-fi | lo-fi hip hop | \
    lounge | lovers rock | madchester | mambo | mandopop | martial industrial | math rock | mathcore | \
    medieval | melodic black metal | melodic death metal | melodic hardcore | melodic metalcore | \
    melodic metal | melodic rock | melodic techno | memphis rap | merengue | metal | metalcore | miami bass | \
    microhouse | midwest emo | minimal | minimal synth | minimal techno | minimal wave | minimalism | mod | \
    modal jazz | modern blues | modern classical | motown | mpb | musical | musique concrète | \
    nashville sound | neo-bop | neo-progressive rock | neo-psychedelia | neo-rockabilly | neo-soul | \
    neoclassical | neoclassical dark wave | neoclassical metal | neofolk | neue deutsche härte | \
    neue deutsche welle | new age | new beat | new jack swing | new orleans r&b | new romantic | new wave | \
    no wave | noise | noise pop | noise rock | noisecore | non-music | northern soul | nu disco | nu jazz | \
    nu metal | nu skool breaks | occult rock | oi | old school hip hop | opera | orchestral | orchestral pop | \
    outlaw country | p-funk | paisley underground | philly soul | piano rock | piedmont blues | \
    political hip hop | polka | pop | pop metal | pop punk | pop rap | pop rock | pop soul | post-bop | \
    post-classical | post-grunge | post-hardcore | post-industrial | post-metal | post-minimalism | post-punk | \
    post-punk revival | post-rock | power electronics | power metal | power pop | powerviolence | progressive | \
    progressive bluegrass | progressive country | progressive electronic | progressive folk | \
    progressive house | progressive metal | progressive metalcore | progressive pop | progressive rock | \
    progressive trance | proto-punk | psybient | psychedelia | psychedelic | psychedelic folk | \
    psychedelic pop | psychedelic rock | psychedelic soul | psychobilly | psytrance | pub rock | punk | \
    punk blues | punk rock | queercore | r&b | ragga | ragtime | rap | rap metal | rap rock | raga rock | \
    rave | reggae | reggae fusion | reggaeton | rhythm and blues | riot grrrl | ritual ambient | rock | \
    rock and roll | rock opera | rockabilly | rocksteady | romantic classical | roots reggae | roots rock | \
    sadcore | salsa | samba | samba rock | schlager | score | screamo | shibuya-kei | shoegaze | \
    singer-songwriter | ska | ska punk | skate punk | skiffle | slacker rock | slowcore | sludge metal | \
    smooth jazz | smooth soul | soft rock | son cubano | soukous | soul | soul blues | soul jazz | \
    sound collage | soundtrack | southern gospel | southern hip hop | southern rock | southern soul | \
    space ambient | space age pop | space rock | speed garage | speed metal | speedcore | spiritual jazz | \
    spoken word | stoner metal | stoner rock | sunshine pop | surf | surf rock | swamp rock | swing | \
    symphonic black metal | symphonic metal | symphonic prog | symphonic rock | symphony | synth funk | \
    synth-pop | synthpop | synthwave | tango | tech house | tech trance | technical death metal | techno | \
    teen pop | third stream | thrash metal | traditional country | traditional doom metal | traditional folk | \
    traditional pop | trance | trap | tribal ambient | tribal house | trip hop | tropicália | trot | \
    turntablism | twee pop | uk drill | uk garage | underground hip hop | uplifting trance | vaporwave | \
    video game music | vocal | vocal house | vocal jazz | vocal trance | west coast hip hop | western swing | \
    witch house | world | world fusion | worldbeat | yacht rock | zeuhl | zouk | zydeco | ye-ye | zolo
    """

  /// Frequent subjects of books, and other subjects of Open Library.
  static let openLibrary = """
    Fiction | History | Biography | Juvenile fiction | Juvenile literature | Politics and government | \
    Social conditions | Philosophy | Poetry | Religion | Science | Economics | Law | Social life and customs | \
    Description and travel | Criticism and interpretation | History and criticism | Education | Psychology | \
    Mathematics | Art | Music | Drama | Theology | Christianity | Bible | Medicine | Literature | \
    English literature | American literature | Short stories | Science fiction | Fantasy | Fantasy fiction | \
    Detective and mystery stories | Mystery | Mystery fiction | Horror | Horror tales | Romance | \
    Love stories | Historical fiction | Adventure stories | Adventure and adventurers | War stories | \
    Western stories | Thrillers | Suspense | Suspense fiction | Thriller | Spy stories | Ghost stories | \
    Fairy tales | Folklore | Mythology | Fables | Legends | Humor | Humorous stories | Wit and humor | \
    Comic books, strips | Comics & graphic novels | Graphic novels | Cartoons and comics | Children's fiction | \
    Children's stories | Children's literature | Picture books | Stories in rhyme | Young adult fiction | \
    Coming of age | Bildungsromans | Family | Family life | Friendship | Love | Marriage | Women | Children | \
    Animals | Dogs | Cats | Horses | Magic | Witches | Dragons | Vampires | Ghosts | Monsters | Robots | \
    Space | Time travel | Dystopias | Murder | Crime | Crime fiction | Police | Private investigators | Spies | \
    Pirates | Cowboys | Kings and rulers | Princesses | Schools | Sports | Baseball | Football | Games | \
    Cookery | Cooking | Gardening | Handicraft | Travel | Guidebooks | Geography | Nature | Natural history | \
    Ecology | Environment | Biology | Evolution | Physics | Chemistry | Astronomy | Geology | Computers | \
    Computer science | Programming | Internet | Engineering | Technology | Architecture | Painting | \
    Photography | Design | Fashion | Motion pictures | Film | Theater | Dance | Business | Management | \
    Leadership | Marketing | Finance | Investments | Accounting | Entrepreneurship | Self-help | Success | \
    Health | Nutrition | Diet | Exercise | Yoga | Parenting | Child rearing | Sociology | Anthropology | \
    Political science | International relations | Foreign relations | Military history | World War, 1939-1945 | \
    World War, 1914-1918 | Civil War, 1861-1865 | Holocaust, Jewish (1939-1945) | Ancient history | \
    Middle Ages | Archaeology | Autobiography | Memoirs | Diaries | Correspondence | Essays | Letters | \
    Speeches | Language and languages | English language | Grammar | Linguistics | Reference | Encyclopedias | \
    Dictionaries | Ethics | Logic | Buddhism | Islam | Judaism | Christian life | Spirituality | Meditation | \
    Prayer | Church history | Saints | Jesus Christ | God | Feminism | Race relations | Slavery | \
    African Americans | Immigrants | Human rights | Terrorism | True crime | Fiction, general | \
    Fiction, historical | Fiction, romance, general | Fiction, science fiction, general | \
    Fiction, fantasy, general | Fiction, mystery & detective, general | Fiction, thrillers, general | \
    Fiction, suspense | Fiction, horror | Fiction, action & adventure | Fiction, humorous | \
    Fiction, family life | Fiction, psychological | Fiction, war & military | Fiction, westerns | \
    Fiction, short stories (single author) | Fiction, christian, general | Juvenile nonfiction | \
    Classic literature | Literary | Literary criticism | Novela | Classic Literature | English fiction | \
    American fiction | French fiction | Russian fiction | Translations into English | \
    Biography & Autobiography | Body, Mind & Spirit | Business & Economics | Large type books | \
    Accessible book | Protected DAISY | In library | nyt:combined-print-and-e-book-fiction=2012-01-01 | \
    New York Times bestseller | Long Now Manual for Civilization | Open Library Staff Picks | Congresses | \
    Bibliography | Early works to 1800 | Catalogs | Exhibitions | Periodicals | Statistics | Textbooks | \
    Study and teaching | Problems, exercises | Examinations | Handbooks, manuals | Popular works | \
    Methodology | Great Britain | United States | England | London (England) | New York (N.Y.) | France | \
    Germany | China | Japan | India | Russia | Korea | Orphans | Brothers and sisters | Mothers and daughters | \
    Fathers and sons | Best friends | Conduct of life | Death | Grief | Man-woman relationships | \
    Interpersonal relations | Survival | Good and evil | Imaginary wars and battles | Extraterrestrial beings | \
    Life on other planets | Interplanetary voyages | Space and time | Quests (Expeditions) | Imaginary places | \
    Supernatural | Wizards | Fairies | Werewolves | Zombies | Teenage girls | Teenagers | High schools | Boys | \
    Girls | Christmas | Halloween | Reading | Readers | Textual criticism | Psychological fiction | \
    Political fiction | Satire | Allegories | Epic poetry | Tragedies | Comedies | English drama | \
    English poetry | American poetry | Haiku | Manga | Anime
    """

  /// The categories of Google Books: the headings of the book trade (BISAC), and common subjects.
  static let googleBooks = """
    Antiques & Collectibles | Architecture | Art | Bibles | Biography & Autobiography | Body, Mind & Spirit | \
    Business & Economics | Comics & Graphic Novels | Computers | Cooking | Crafts & Hobbies | Design | Drama | \
    Education | Family & Relationships | Fiction | Foreign Language Study | Games & Activities | Gardening | \
    Health & Fitness | History | House & Home | Humor | Juvenile Fiction | Juvenile Nonfiction | \
    Language Arts & Disciplines | Law | Literary Collections | Literary Criticism | Mathematics | Medical | \
    Music | Nature | Performing Arts | Pets | Philosophy | Photography | Poetry | Political Science | \
    Psychology | Reference | Religion | Science | Self-Help | Social Science | Sports & Recreation | \
    Study Aids | Technology & Engineering | Transportation | Travel | True Crime | Young Adult Fiction | \
    Young Adult Nonfiction | Non-Classifiable | Literature | Games | Language and languages | Authors | \
    Children's stories | Children's literature | Detective and mystery stories | Science fiction | \
    Fantasy fiction | Short stories | Horror tales | Love stories | Historical fiction | Fairy tales | \
    American literature | English literature | English fiction | American fiction | Korean fiction | \
    Korean literature | Japanese fiction | Chinese fiction | French fiction | Cookery | Cooking, Korean | \
    Sociology | Economics | Management | Physics | Biology | Chemistry | Astronomy | Engineering | Technology | \
    Computer science | Computer programming | Motion pictures | Painting | Graphic novels | \
    Comic books, strips, etc | Bildungsromans | Friendship | Magic | Orphans | Adventure stories | \
    World War, 1939-1945 | Brothers and sisters | Families | Dystopias | Young adult fiction | \
    Juvenile literature | Imaginary places | Electronic books | Fiction / General | Fiction / Literary | \
    Fiction / Classics | Fiction / Science Fiction / General | Fiction / Fantasy / Epic | \
    Fiction / Thrillers / Suspense | Fiction / Mystery & Detective / General | \
    Fiction / Romance / Contemporary | Fiction / Historical / General | \
    Fiction / Short Stories (single author) | Fiction / Horror | Fiction / Coming of Age | \
    Juvenile Fiction / General | Juvenile Fiction / Fantasy & Magic | Young Adult Fiction / Fantasy / General | \
    Biography & Autobiography / General | Biography & Autobiography / Personal Memoirs | History / General | \
    History / Military / World War II | Computers / Programming / General | Computers / Languages / General | \
    Computers / Programming Languages / Java | Cooking / General | Self-Help / Personal Growth / General | \
    Business & Economics / Management | Music / Genres & Styles / Jazz | \
    Comics & Graphic Novels / Manga / General | Poetry / General | Science / Physics / General | \
    Religion / Buddhism / General
    """
}
