package markdown
import ("testing";"os";"strings";"encoding/json";"path/filepath";"html";"reflect";"time";"fmt"
"github.com/yuin/goldmark";"github.com/yuin/goldmark/extension";"github.com/yuin/goldmark/text";"github.com/yuin/goldmark/ast";east "github.com/yuin/goldmark/extension/ast")
var md=goldmark.New(goldmark.WithExtensions(extension.Linkify,extension.Table,extension.Footnote,extension.Strikethrough))
var mdPlain=goldmark.New()
func gtext(n ast.Node, src []byte, sb *strings.Builder){
  for c:=n.FirstChild();c!=nil;c=c.NextSibling(){ switch x:=c.(type){
   case *ast.Text: s:=string(x.Segment.Value(src)); if x.IsRaw(){sb.WriteString(s)}else{sb.WriteString(unescape([]byte(s)))}; if x.SoftLineBreak()||x.HardLineBreak(){sb.WriteString(" ")}
   case *ast.String: sb.Write(x.Value)
   case *ast.AutoLink: sb.Write(x.Label(src))
   default: gtext(c,src,sb)}}
}
func oracle(m goldmark.Markdown, src []byte) (links []Link, heads []string){
 doc:=m.Parser().Parse(text.NewReader(src))
 img:=0
 ast.Walk(doc,func(n ast.Node, in bool)(ast.WalkStatus,error){
  switch x:=n.(type){
  case *ast.Image: if in{img++}else{img--}
  case *ast.Link: if in&&img==0{ var sb strings.Builder; gtext(x,src,&sb); links=append(links,Link{unescape(x.Destination),plainLabel([]byte(sb.String()))})}
  case *ast.AutoLink: if in&&img==0{ if _,ok:=x.Parent().(*ast.Link);ok{break}; u:=string(x.URL(src)); if x.AutoLinkType==ast.AutoLinkEmail&&!strings.HasPrefix(strings.ToLower(u),"mailto:"){u="mailto:"+u}; links=append(links,Link{u,string(x.Label(src))})}
  case *ast.Heading: if in{ var sb strings.Builder; gtext(x,src,&sb); heads=append(heads,fmt.Sprint(x.Level," ",plainLabel([]byte(sb.String()))))}
  case *east.FootnoteLink: 
  }
  return ast.WalkContinue,nil})
 return unique(links),heads
}
func ours(src []byte)(links []Link, heads []string){ links=Links(src,Markdown); for _,h:=range Headings(src,Markdown){heads=append(heads,fmt.Sprint(h.Level," ",h.Text))}; return}
func TestTmpSpec(t *testing.T){
 b,_:=os.ReadFile("/root/go/pkg/mod/github.com/yuin/goldmark@v1.8.7/_test/spec.json")
 var ex []struct{Markdown string; Example int; HTML, Section string}; json.Unmarshal(b,&ex); bad:=0
 for _,e:=range ex { l1,h1:=oracle(mdPlain,[]byte(e.Markdown)); l2,h2:=ours([]byte(e.Markdown))
  if (len(l1)+len(l2)>0&&!reflect.DeepEqual(l1,l2))||(len(h1)+len(h2)>0&&!reflect.DeepEqual(h1,h2)) {bad++; t.Logf("#%d %s %q\n html %q\n want %v %q\n have %v %q",e.Example,e.Section,e.Markdown,e.HTML,l1,h1,l2,h2)}
 }
 t.Log(len(ex),"bad",bad); _=html.EscapeString
}
func TestTmpCorpus(t *testing.T){
 var dirs=[]string{"/work/shared/corpus/otel-docs","/work/shared/corpus/vue-docs-zh"}
 for _,d:=range dirs{ n,bad,links:=0,0,0
 filepath.Walk(d,func(p string,i os.FileInfo,e error)error{ if !strings.HasSuffix(p,".md"){return nil}; src,_:=os.ReadFile(p); n++
  if k:=strings.Index(string(src),"\n---\n"); strings.HasPrefix(string(src),"---\n")&&k>0{src=src[k+5:]}
  l1,h1:=oracle(md,src); l2,_:=ours(src); var h2 []string; hl:=headings(src,Markdown,func(Heading)bool{return true}); _=hl
  doc:=parse(src,Markdown); il:=inlines{doc:doc,scan:newBudget(len(src))}; var w func(b *block); w=func(b *block){ if b.kind==headingBlock{h2=append(h2,fmt.Sprint(b.level," ",plainLabel(il.plainText(b.text))))}; for c:=b.first;c!=nil;c=c.next{w(c)}}; w(doc.root)
  links+=len(l2)
  m1:=map[Link]bool{};for _,l:=range l1{m1[l]=true}; m2:=map[Link]bool{};for _,l:=range l2{m2[l]=true}
  var miss,extra []Link; for _,l:=range l1{if !m2[l]{miss=append(miss,l)}}; for _,l:=range l2{if !m1[l]{extra=append(extra,l)}}
  if len(miss)+len(extra)>0||!reflect.DeepEqual(h1,h2){ bad++; if bad<30{ t.Logf("%s\n missing %q\n extra %q heads same %v",strings.TrimPrefix(p,d),miss,extra,reflect.DeepEqual(h1,h2))
    if !reflect.DeepEqual(h1,h2){ for k:=range h1{ if k>=len(h2)||h1[k]!=h2[k]{ t.Logf(" head want %q",h1[k]); if k<len(h2){t.Logf(" head have %q",h2[k])}; break}}}} }
  return nil})
 t.Log(d,n,"files",links,"links; differing files",bad)}
}
func TestTmpHostile(t *testing.T){
 n:=2<<20
 pats:=[]string{"[","[a](<","[a](","](","[a][","![","[[]()","![[]()","![a](b","[a]: b\n","[a]: b \"\n","[^1]","[^a]: ","a**b c* ","a_","*a **a ","**","*a_","_a*","~a~~","`a``a```a````a","<a ","<a x=\"","<a x='\"","<","</","<!--","<?","<!A","<![CDATA[","> ",">","- ","1. ","- a\n","-\n","\n","- a\n\n","> \n","    ","\t","    - a\n","# ","#","\\","&","&a","&#","{","{/*","{\"","import a\n","import {\n\n","export const a = {\n\n","<A>\n","<A>","<A x={","<A x={{","<A\n","</A>\n","<a href=\"x\">","<a href=\"x\">\n\n","<Card href=\"x\">\n","http://","http://a","www.","www.a.b ","a@","a@b.c ","@","://","|","|a","|a|b|\n|-|-|\n","a\n=\n","a\n","a\r","\r","a\r\n","***\n","* * * ","```\n","~~~","`","``` \n","<div>\n","<script>\n","<pre><a href=x>","{{< ","[a]({{< ","[a](b \"","[a](b '","[a](b (","[a](<b","(((((","[]((","- [a](b)\n  - ","\x00","\u3000","é","[a]\n","[a\n","[![a](b)](c)\n","<a@b","<a:","]]]","[*a","*[a](","***a","_____a ","* a\n\n   ","<!-- a -->","a <b","[a](b)[","a\\\n","&amp;","\"{","{'","<>","</>"}
 for _,p:=range pats { for f:=Markdown;f<=MDX;f++{
  s:=[]byte(strings.Repeat(p,n/len(p))); b:=time.Now(); Links(s,f); d:=time.Since(b); b=time.Now(); DetectFormat(string(s),""); d2:=time.Since(b); if d>400*time.Millisecond||d2>100*time.Millisecond{ t.Logf("%-20q %v links %v detect %v",p,f,d.Round(time.Millisecond),d2.Round(time.Millisecond))}
 }}
 head:=strings.Repeat("|a",1000)+"|\n"+strings.Repeat("|-",1000)+"|\n"
 for name,s:=range map[string]string{"table":head+strings.Repeat("|\n",n/2),"deep list blank":strings.Repeat("- ",64)+"a"+strings.Repeat("\n",n),"deep quote":strings.Repeat("> ",64)+"a\n"+strings.Repeat("> > > >a\n\n",n/10),"refs":"[a]: b\n\n"+strings.Repeat("[a]",n/3),"refs2":"[a]: b\n\n"+strings.Repeat("[aaaaaaaaa ",n/12)+strings.Repeat("]",n/12),"labels":"[a]: b\n\n"+strings.Repeat("["+strings.Repeat("x",990)+"]",n/1000),"bt":func()string{var sb strings.Builder;for i:=1;sb.Len()<n;i++{sb.WriteString(strings.Repeat("`",i%2000));sb.WriteByte('a')};return sb.String()}(),"fn":"[^a]: x\n\n"+strings.Repeat("[^a]",n/4), "deepfence":strings.Repeat("- ",32)+"```\n"+strings.Repeat("\n",n),"anchors":strings.Repeat("<a href=x>",20)+strings.Repeat("*a* ",n/4),"mdcomp":strings.Repeat("<A href=\"x\">\n",20)+strings.Repeat("*a* ",n/4),"manylinks":func()string{var sb strings.Builder;for i:=1;sb.Len()<n;i++{fmt.Fprintf(&sb,"[%d](%d) ",i,i)};return sb.String()}(),"manydefs":func()string{var sb strings.Builder;for i:=1;sb.Len()<n;i++{fmt.Fprintf(&sb,"[%d]: %d\n",i,i)};return sb.String()}(),"tagsopen":strings.Repeat("<A x='"+strings.Repeat("a",100)+"\n",n/107)}{
  for f:=Markdown;f<=MDX;f++{ b:=time.Now(); Links([]byte(s),f); if d:=time.Since(b); d>300*time.Millisecond{ t.Logf("%s %v %v",name,f,d)}}
 }
}
