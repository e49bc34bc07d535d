fn main() {
    let speech = rondo_speech::Speech::open(Default::default(), None);
    let a: Vec<String> = std::env::args().collect();
    let voice = speech.voice(Some(&a[1])).unwrap();
    let t = std::time::Instant::now();
    let s = speech.narrate(&a[3], voice, a[2].parse().unwrap()).unwrap();
    eprintln!("{:?} {} ms, rate {}", t.elapsed(), s.sound.duration_ms(), s.sound.rate);
    for w in &s.words {
        eprintln!("{:8.1} {:8.1} {}", w.start_ms, w.end_ms, w.text);
    }
    let mut o = Vec::new();
    for x in &s.sound.samples {
        o.extend(((x * 32767.0) as i16).to_le_bytes());
    }
    std::fs::write(&a[4], o).unwrap();
}
